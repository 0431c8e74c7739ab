import { useEffect, useRef, useState } from "react";
import { useChat } from "../chat-context.ts";
import { whenOnline } from "../controls/when-online.ts";
import { useOnline } from "../panel/use-online.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";

type How = "save" | "print";

/**
 * Saves or prints the conversation by a part that loads on use. Without a network that waits for one, also when the menu
 * has been closed meanwhile, but not when another conversation has come on screen: nobody asked for that one. What did
 * not load is tried again with the next press.
 */
export function useTranscript(runtime: ChatRuntime, onTaken: () => void) {
  const chat = useChat();
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
    const { createKey } = runtime.getState();
    try {
      await whenOnline();
      const { saveTranscript, printTranscript } = await import("../transcript/take-transcript.ts");
      const takeIt = how === "save" ? saveTranscript : printTranscript;
      if (runtime.getState().createKey === createKey) await takeIt(runtime, chat);
      if (isShown.current) onTaken();
    } catch (error) {
      setWanted({ how, hasFailed: true });
      reportError(error);
    }
  }

  function noteOf(how: How): string | null {
    if (wanted?.how !== how) return null;
    if (wanted.hasFailed) return chat.t.problems.partFailed;
    return isOnline ? chat.t.search.loading : chat.t.problems.partWaits;
  }

  return { take, noteOf };
}
