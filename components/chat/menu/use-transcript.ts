import { useEffect, useRef, useState } from "react";
import { useChatContext } from "../chat-context.ts";
import { useOnline } from "../controls/use-online.ts";
import { whenOnline } from "../controls/when-online.ts";
import { type How, takeTranscript } from "./take-transcript.ts";

/**
 * Saves or prints the conversation. Offline it waits for the network, even if the menu has closed, but drops
 * the request if another conversation comes on screen. After a failure the next press tries again.
 */
export function useTranscript(onTaken: () => void) {
  const context = useChatContext();
  const { chat, t } = context;
  const isOnline = useOnline();
  const [wanted, setWanted] = useState<{ how: How; hasFailed: boolean } | null>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  async function take(how: How): Promise<void> {
    if (wanted !== null && !wanted.hasFailed) return;
    setWanted({ how, hasFailed: false });
    const { createKey } = chat.getState().conversation;
    try {
      await whenOnline();
      if (chat.getState().conversation.createKey === createKey) await takeTranscript(context, how);
      if (isShown.current) onTaken();
    } catch (error) {
      setWanted({ how, hasFailed: true });
      chat.failureOf(error);
    }
  }

  function noteOf(how: How): string | null {
    if (wanted?.how !== how) return null;
    if (wanted.hasFailed) return t.files.notLoaded;
    return isOnline ? t.transcript.loading : t.problems.partWaits;
  }

  return { take, noteOf };
}
