import type { ChatEvent } from "../../lib/engine/state/events.ts";

/** An event of the chat for a host's statistics: IDs, codes and numbers, never texts or addresses. */
export type WidgetEvent =
  | ChatEvent
  /** The chat has loaded and opens at once. `<shop-chat>` loads it when it is first used. */
  | { type: "ready" }
  /** A floating chat has opened or closed. A page that shows an open chat again does not open it. */
  | { type: "opened" | "closed" }
  /** `productId` is the ID in your catalogue. */
  | { type: "product_opened"; chatId: string; messageId: string; productId: string }
  /** `position` counts the sources of the message from 1. */
  | { type: "source_opened"; chatId: string; messageId: string; position: number };

/** The same as events of the DOM, which bubble to the window and out of `<shop-chat>`. */
export type WidgetEventMap = {
  [Type in WidgetEvent["type"] as `shop-chat:${Type}`]: CustomEvent<WidgetEvent & { type: Type }>;
};

export function dispatchChatEvent(target: EventTarget, detail: WidgetEvent): void {
  target.dispatchEvent(
    new CustomEvent(`shop-chat:${detail.type}`, { detail, bubbles: true, composed: true }),
  );
}

/**
 * Events that a page's scripts expect from the page's own fields: typing, the clipboard, dragging, the focus
 * and forms; and scrolling, which a page below a modal dialog prevents. None of it leaves the chat, or it
 * would set off the page's keyboard shortcuts, focus traps and scroll locks: outside a shadow tree the target
 * is the tree's host, in which a script sees no field.
 */
const ownEvents =
  "keydown keypress keyup beforeinput input change compositionstart compositionupdate compositionend copy cut " +
  "paste drag dragend dragenter dragleave dragover dragstart drop focusin focusout reset submit wheel touchmove";

/** `place` is what React has its listeners on: the chat handles the events before they stop. */
export function keepOwnEvents(place: Element | null | undefined): void {
  for (const name of ownEvents.split(" ")) place?.addEventListener(name, stop, { passive: true });
}

const stop = (event: Event) => event.stopPropagation();

declare global {
  interface HTMLElementEventMap extends WidgetEventMap {}
  interface WindowEventMap extends WidgetEventMap {}
}
