/** The chat listens for this event on the window (components/chat). */
const openEvent = "shop-chat:open";

/** Opens the chat, with the given message in its composer. */
export function openChat(draft: string | undefined): void {
  window.dispatchEvent(new CustomEvent(openEvent, { detail: draft === undefined ? {} : { draft } }));
}
