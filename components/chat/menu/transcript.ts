import { useEffect, useRef, useState } from "react";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { useOnline, whenOnline } from "../controls/browser.ts";
import { saveBlob } from "../files/save-file.ts";
import { transcriptText } from "./transcript-text.ts";

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

/** Saves the whole conversation as a text file. */
async function saveTranscript(context: ChatContextValue): Promise<void> {
  const text = await wholeTranscript(context);
  if (text === null) return;
  // The byte order mark tells editors that the text is UTF-8.
  saveBlob(
    new Blob(["\ufeff", text], { type: "text/plain;charset=utf-8" }),
    `${context.shop.shopName}-chat.txt`.replaceAll(/[^\p{L}\p{N}.-]+/gu, "-"),
  );
}

/** Null if another conversation has come on screen meanwhile. */
async function wholeTranscript(context: ChatContextValue): Promise<string | null> {
  const whole = await context.chat.transcript();
  if (whole === null) return null;
  const { messages, transcript } = context.t;
  const { chat } = context.chat.getState().conversation;
  const missing = !whole.isComplete
    ? transcript.incomplete
    : chat?.historyComplete === false
      ? messages.historyIncomplete
      : null;
  return transcriptText({ ...whole, missing }, context);
}
