/** The customer's unsent text and files in a conversation. Only sending clears it. */
import type { File } from "../../chat-api/file.ts";
import { parseFiles } from "./outbox.ts";
import { isRecord, parseJson, stringOr } from "./stored.ts";

export interface Draft {
  text: string;
  /** Files that are uploaded but not sent. */
  files: readonly File[];
}

export const emptyDraft: Draft = { text: "", files: [] };

/** Uploaded files that were never sent are deleted by the server after a day: they leave the draft too. */
export function parseDraft(stored: string | null, now: number): Draft {
  const value = parseJson(stored);
  if (!isRecord(value)) return emptyDraft;
  const files = parseFiles(value["files"]).filter(
    ({ expiresAt }) => expiresAt === null || !(Date.parse(expiresAt) <= now),
  );
  return { text: stringOr(value["text"], ""), files };
}

export function isEmptyDraft({ text, files }: Draft): boolean {
  return text === "" && files.length === 0;
}

/** A returned text (refused, or carried over from a closed chat) never overwrites newly typed text. */
export function joinDrafts(typed: Draft, returned: Draft): Draft {
  const texts = [returned.text, typed.text].filter((text) => text.trim() !== "");
  return { text: texts.join("\n"), files: [...returned.files, ...typed.files] };
}
