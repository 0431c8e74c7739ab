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

declare global {
  interface HTMLElementEventMap extends WidgetEventMap {}
  interface WindowEventMap extends WidgetEventMap {}
}
