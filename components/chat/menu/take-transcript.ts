import type { ChatContextValue } from "../chat-context.ts";
import { saveBlob } from "../files/save-file.ts";
import styles from "./transcript.module.css";
import { transcriptText } from "./transcript-text.ts";

export type How = "save" | "print";

/** Saves the whole conversation as a text file, or prints it and nothing else of the page. */
export async function takeTranscript(context: ChatContextValue, how: How): Promise<void> {
  const text = await wholeTranscript(context);
  if (text !== null) (how === "save" ? save : print)(context, text);
}

function save(context: ChatContextValue, text: string): void {
  // The byte order mark tells editors that the text is UTF-8.
  saveBlob(
    new Blob(["\ufeff", text], { type: "text/plain;charset=utf-8" }),
    `${context.shop.shopName}-chat.txt`.replaceAll(/[^\p{L}\p{N}.-]+/gu, "-"),
  );
}

function print(context: ChatContextValue, text: string): void {
  const paper = document.createElement("pre");
  paper.className = styles["paper"] ?? "";
  paper.textContent = text;
  paper.dir = "auto";
  document.body.append(paper);
  window.addEventListener("afterprint", () => paper.remove(), { once: true });
  // Some browsers do not tell when they have printed. Who comes next must not find the paper.
  const { createKey } = context.chat.getState().conversation;
  const unsubscribe = context.chat.subscribe(() => {
    if (context.chat.getState().conversation.createKey === createKey) return;
    paper.remove();
    unsubscribe();
  });
  window.print();
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
