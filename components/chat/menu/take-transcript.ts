import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { readCollection } from "../../../lib/engine/forms/read-collection.ts";
import { readAll } from "../../../lib/engine/history/read-all.ts";
import type { ChatContextValue } from "../chat-context.ts";
import { saveBlob } from "../files/save-file.ts";
import styles from "./transcript.module.css";
import { transcriptText } from "./transcript-text.ts";

/** Saves the whole conversation as a text file. */
export async function saveTranscript(runtime: ChatRuntime, chat: ChatContextValue): Promise<void> {
  const text = await wholeTranscript(runtime, chat);
  if (text === null) return;
  // The byte order mark tells editors that the text is UTF-8.
  saveBlob(
    new Blob(["\ufeff", text], { type: "text/plain;charset=utf-8" }),
    `${chat.shop.shopName}-chat.txt`.replaceAll(/[^\p{L}\p{N}.-]+/gu, "-"),
  );
}

/** Prints the whole conversation without the rest of the page. */
export async function printTranscript(runtime: ChatRuntime, chat: ChatContextValue): Promise<void> {
  const text = await wholeTranscript(runtime, chat);
  if (text === null) return;
  const paper = document.createElement("pre");
  paper.className = styles["paper"] ?? "";
  paper.textContent = text;
  paper.dir = "auto";
  document.body.append(paper);
  window.addEventListener("afterprint", () => paper.remove(), { once: true });
  window.print();
}

/** Null if another conversation has come on screen meanwhile. */
async function wholeTranscript(runtime: ChatRuntime, chat: ChatContextValue): Promise<string | null> {
  const { createKey } = runtime.getState();
  // Messages that cannot be read now are missing from the text, which is better than no text.
  await Promise.all([readAll(runtime), readCollection(runtime).catch(reportError)]);
  const state = runtime.getState();
  if (state.createKey !== createKey) return null;
  const { messages, transcript } = chat.t;
  const missing = state.history.hasOlder
    ? transcript.incomplete
    : state.chat?.historyComplete === false
      ? messages.historyIncomplete
      : null;
  return transcriptText({ messages: state.messages, collection: state.collection, missing }, chat);
}
