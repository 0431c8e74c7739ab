import { useState } from "react";
import type { File } from "../../../lib/chat-api/file.ts";
import { useChatContext } from "../chat-context.ts";
import { useRetryOnline } from "./use-retry-online.ts";

/** A picture's `error` event has no reason, so this asks the server. Retries when the network returns. */
export function usePicture(file: File) {
  const { chat } = useChatContext();
  /** `gone`: the server no longer has the file. `failed`: it could not be loaded this time. */
  const [state, setState] = useState<"loading" | "failed" | "gone">("loading");
  /** Number of retries. As the picture's `key` it makes React load the picture again. */
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    setState("loading");
    setAttempt((count) => count + 1);
  };
  useRetryOnline(state === "failed", retry);

  return {
    state,
    attempt,
    retry,
    onError: () => void chat.isFileGone(file).then((isGone) => setState(isGone ? "gone" : "failed")),
  };
}
