/**
 * Searches the text of a conversation, ignoring case (`strasse` finds `Straße`), accents and the width of
 * Japanese letters.
 */
import type { Message } from "../../chat-api/message.ts";

export interface TextRange {
  /** UTF-16 positions in the original text. */
  start: number;
  end: number;
}

/** Messages that contain the query, newest first. A blank query finds nothing. */
export function findMessages(messages: readonly Message[], query: string): Message[] {
  const wanted = plain(query.trim());
  if (wanted === "") return [];
  return messages.filter(({ text }) => plain(text).includes(wanted)).reverse();
}

/**
 * The folded text: upper case, because only that spells `ß` as two letters. Folds the whole text at once:
 * letter by letter is noticeably slower in a long chat.
 */
function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().toUpperCase();
}

/** The ranges of a text that match the query. */
export function findInText(text: string, query: string): TextRange[] {
  const wanted = fold(query.trim()).text;
  if (wanted === "") return [];
  const folded = fold(text);
  const found: TextRange[] = [];
  for (let at = folded.text.indexOf(wanted); at >= 0; at = folded.text.indexOf(wanted, at + wanted.length)) {
    const start = folded.origins[at] ?? 0;
    const last = folded.origins[at + wanted.length - 1] ?? start;
    found.push({ start, end: last + lengthAt(text, last) });
  }
  return found;
}

/** The folded text, and for each of its UTF-16 units the position of its letter in the original text. */
function fold(text: string): { text: string; origins: number[] } {
  let folded = "";
  const origins: number[] = [];
  let at = 0;
  for (const letter of text) {
    const bare = plain(letter);
    for (let unit = 0; unit < bare.length; unit += 1) origins.push(at);
    folded += bare;
    at += letter.length;
  }
  return { text: folded, origins };
}

function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
