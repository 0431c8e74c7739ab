/** The customer's files for the next message, and whether they are ready to be sent. */
import type { ChatState, Upload } from "./state.ts";

/**
 * True while a file that is not uploaded keeps the message from being sent. One that waits for the customer's
 * consent does not: sending asks for it.
 */
export function awaitsFiles({ draft, uploads }: Pick<ChatState, "draft" | "uploads">): boolean {
  const waits = ({ state }: Upload) => state.state !== "attached" && state.state !== "held";
  return draft.lost.length > 0 || uploads.some(waits);
}

/** The files of the next message, also those to be chosen again: a finished upload is one of the draft. */
export const filesOf = ({ draft, uploads }: Pick<ChatState, "draft" | "uploads">): readonly unknown[] => [
  ...draft.files,
  ...draft.lost,
  ...uploads.filter(({ state }) => state.state !== "attached"),
];

/** Names of the chosen files that are neither attached nor refused. */
export function unfinishedNames(uploads: readonly Upload[]): readonly string[] {
  return uploads
    .filter(({ state }) => state.state !== "attached" && state.state !== "refused")
    .map(({ file }) => file.name);
}
