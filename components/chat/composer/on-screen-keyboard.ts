import { mediaQuery } from "../appearance/media-query.ts";

/**
 * True on phones and tablets, where focus in a text field raises a keyboard over the conversation. Whether
 * they can hover decides nothing: some phones say so, and some call their touch screen a fine pointer.
 */
export function hasOnScreenKeyboard(): boolean {
  return mediaQuery("(pointer: coarse)")?.matches === true || /Mobi|Android/.test(navigator.userAgent);
}
