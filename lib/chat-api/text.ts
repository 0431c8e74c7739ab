/**
 * Text rules that every side shares: the browser before sending, the BFF before forwarding, the channel
 * before storing. Free of zod, so that browser code may import it.
 */

/** True if the text has a character other than white space (docs/chat-api.md, "Operations"). */
export function hasVisibleText(text: string): boolean {
  return /\S/u.test(text);
}

/** True if a screen shows something of the text: not for blanks, Hangul fillers or blank Braille cells. */
export function hasDrawnText(text: string): boolean {
  return /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/**
 * True for text that can be stored and sent back unchanged: Postgres refuses U+0000, and a lone surrogate has
 * no UTF-8 form, so it would come back as U+FFFD.
 */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/**
 * Pasted text may contain characters that cannot be stored (U+0000, half an emoji). These are removed; all
 * others stay unchanged.
 */
export function toStorableText(text: string): string {
  return isStorableText(text) ? text : text.replaceAll("\u0000", "").toWellFormed();
}

/** The text's length as the Chat API counts it: in UTF-16 code units, so an emoji counts as two or more. */
export function utf16Length(text: string): number {
  return text.length;
}

/** Null if the text is no URL. Node 20 lacks `URL.parse`. */
export function parsedUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** The text without percent-encoding; undefined if it cannot be decoded. */
export function decodedUri(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
