import type { ChatContextValue } from "../chat-context.ts";
import { saveBlob } from "../files/save-file.ts";
import { transcriptText } from "./transcript-text.ts";

/** Saves the whole conversation as a text file. */
export async function saveTranscript(context: ChatContextValue): Promise<void> {
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
