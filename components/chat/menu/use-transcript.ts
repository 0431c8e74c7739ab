import { useEffect, useRef, useState } from "react";
import { useChatContext } from "../chat-context.ts";
import { useOnline } from "../controls/use-online.ts";
import { whenOnline } from "../controls/when-online.ts";
import { saveTranscript } from "./take-transcript.ts";

/**
 * Saves the conversation. Offline it waits for the network, even if the menu has closed, but drops
 * the request if another conversation comes on screen. After a failure the next press tries again.
 */
export function useTranscript(onTaken: () => void) {
  const context = useChatContext();
  const { chat, t } = context;
  const isOnline = useOnline();
  const [state, setState] = useState<"idle" | "reading" | "failed">("idle");
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  async function take(): Promise<void> {
    if (state === "reading") return;
    setState("reading");
    const { createKey } = chat.getState().conversation;
    try {
      await whenOnline();
      if (chat.getState().conversation.createKey === createKey) await saveTranscript(context);
      if (isShown.current) onTaken();
    } catch (error) {
      setState("failed");
      chat.failureOf(error);
    }
  }

  const reading = isOnline ? t.transcript.loading : t.problems.partWaits;
  return { take, note: { idle: null, reading, failed: t.files.notLoaded }[state] };
}
