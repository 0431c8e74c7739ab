import { type SyntheticEvent, useEffect, useEffectEvent, useState } from "react";
import type { File } from "../../../lib/chat-api/message.ts";
import { listen } from "../../../lib/engine/listen.ts";
import { useChatContext } from "../chat-context.ts";

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

/** Retries a failed action when the network returns. */
export function useRetryOnline(hasFailed: boolean, retry: () => void): void {
  // The event renders the chat again between its listeners, so a replaced listener would miss it.
  const onOnline = useEffectEvent(retry);
  useEffect(() => (hasFailed ? listen(window, "online", () => onOnline()) : undefined), [hasFailed]);
}

/**
 * Marks a picture smaller than its frame with `data-small`; the style sheet then shows it in its own size.
 */
export function markSmall({ currentTarget: picture }: SyntheticEvent<HTMLImageElement>): void {
  const isSmall = picture.naturalWidth < picture.clientWidth && picture.naturalHeight < picture.clientHeight;
  picture.toggleAttribute("data-small", isSmall);
}
