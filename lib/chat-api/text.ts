/**
 * Rules of text that every side checks alike: the browser before sending, the BFF before passing on, the channel
 * before storing. Free of zod, so that browser code may import it.
 */

/** True when the text has a character that is not white space (specification, "Send a message"). */
export function hasVisibleText(text: string): boolean {
  return /\S/u.test(text);
}

/**
 * True for text that can be stored and sent back unchanged: Postgres refuses U+0000, and a lone surrogate has no
 * UTF-8 form, so it would come back as U+FFFD.
 */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** The text's length as the Chat API counts it: UTF-16 code units, so that an emoji counts two or more. */
export function utf16Length(text: string): number {
  return text.length;
}
