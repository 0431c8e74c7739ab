import { useCallback, useState } from "react";
import type { File } from "#lib/chat-api/file.ts";
import { failureOf } from "#lib/conversation/failure.ts";
import { requestFile } from "./save-file.ts";
import { useRetryOnline } from "./use-retry-online.ts";

export interface PictureLoading {
  /** `gone` for a file that the server no longer has; `failed` for one that did not come now. */
  state: "loading" | "failed" | "gone";
  /** Counts the attempts; as the picture's `key`, each of them makes it anew. */
  attempt: number;
  onError(): void;
  retry(): void;
}

/** A picture says only that it did not load: the server is asked why. With the network back it is tried again. */
export function usePicture(file: File): PictureLoading {
  const [state, setState] = useState<PictureLoading["state"]>("loading");
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => {
    setState("loading");
    setAttempt((count) => count + 1);
  }, []);
  useRetryOnline(state === "failed", retry);

  return {
    state,
    attempt,
    retry,
    onError: () => void whyNot(file).then(setState),
  };
}

async function whyNot(file: File): Promise<"failed" | "gone"> {
  try {
    const { body } = await requestFile(file);
    await body?.cancel();
    return "failed";
  } catch (error) {
    const { code } = failureOf(error);
    return code === "file_not_found" || code === "chat_not_found" ? "gone" : "failed";
  }
}
