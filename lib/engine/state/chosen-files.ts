/** The customer's files for the next message, and whether they are ready to be sent. */
import type { ChatState, Upload } from "./state.ts";

/** True while a file that is not uploaded keeps the message from being sent. */
export function awaitsFiles({ draft, uploads }: Pick<ChatState, "draft" | "uploads">): boolean {
  return draft.lost.length > 0 || uploads.some(({ state }) => state.state !== "attached");
}

/** Names of the chosen files that are neither attached nor refused. */
export function unfinishedNames(uploads: readonly Upload[]): readonly string[] {
  return uploads
    .filter(({ state }) => state.state !== "attached" && state.state !== "refused")
    .map(({ file }) => file.name);
}
