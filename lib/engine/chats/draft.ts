/** The customer's unsent text and files in a conversation. */
import type { File } from "../../chat-api/message.ts";
import { parseFiles } from "../outbox/outbox.ts";
import { fieldsOf, isRecord, parseJson, stringsOf } from "../storage/stored.ts";

export interface Draft {
  text: string;
  /** Files that are uploaded but not sent. */
  files: readonly File[];
  /** Names of files that were chosen and are not attached: the customer has to choose them again. */
  lost: readonly string[];
}

export const emptyDraft: Draft = { text: "", files: [], lost: [] };

/** The stored draft. Of expired files, which the server has deleted, only the names are kept. */
export function parseDraft(stored: string | null, now: number): Draft {
  const value = parseJson(stored);
  if (!isRecord(value)) return emptyDraft;
  const isExpired = ({ expiresAt }: File) => expiresAt !== null && Date.parse(expiresAt) <= now;
  const files = parseFiles(value["files"]);
  return {
    ...fieldsOf(value, { text: "" }),
    files: files.filter((file) => !isExpired(file)),
    lost: [...stringsOf(value["lost"]), ...namesOf(files.filter(isExpired))],
  };
}

const namesOf = (files: readonly File[]) => files.map(({ filename }) => filename);

export function isEmptyDraft({ text, files, lost }: Draft): boolean {
  return text === "" && files.length + lost.length === 0;
}

/** Adds names of files that the customer has to choose again. */
export function withLost(draft: Draft, names: readonly string[]): Draft {
  return { ...draft, lost: [...draft.lost, ...names] };
}

/** The draft for another chat: files belong to the chat that they were uploaded to. */
export function withoutFiles(draft: Draft): Draft {
  return withLost({ ...draft, files: [] }, namesOf(draft.files));
}

/** Removes each of the names once: two files can have the same name. */
export function withoutNames(from: readonly string[], names: readonly string[]): readonly string[] {
  return names.reduce((left, name) => {
    const at = left.indexOf(name);
    return at < 0 ? left : left.toSpliced(at, 1);
  }, from);
}

/** A returned text (refused, or carried over from a closed chat) never overwrites newly typed text. */
export function joinDrafts(typed: Draft, returned: Draft): Draft {
  const texts = [returned.text, typed.text].filter((text) => text.trim() !== "");
  return {
    text: texts.join("\n"),
    files: [...returned.files, ...typed.files],
    lost: [...returned.lost, ...typed.lost],
  };
}
