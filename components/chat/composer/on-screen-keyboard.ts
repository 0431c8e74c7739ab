import { mediaQuery } from "../appearance/media-query.ts";

/** True on phones and tablets, where focus in a text field raises a keyboard over the conversation. */
export function hasOnScreenKeyboard(): boolean {
  return mediaQuery("(hover: none) and (pointer: coarse)")?.matches === true;
}
