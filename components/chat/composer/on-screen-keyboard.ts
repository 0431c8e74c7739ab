/** True on phones and tablets, where focus in a text field raises a keyboard over the conversation. */
export function hasOnScreenKeyboard(): boolean {
  return window.matchMedia("(hover: none) and (pointer: coarse)").matches;
}
