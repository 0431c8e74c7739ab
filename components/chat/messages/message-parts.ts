import type { Message, MessagePart } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { offeredChoices } from "./offered-choices.ts";

/**
 * The parts of the message that can be shown, in the order in which they are announced and printed.
 * `message-row.tsx` and `cards/message-cards.tsx` show them, `panel/announcement-text.ts` announces and
 * `menu/transcript-text.ts` prints them.
 */
export function partsOf(message: Partial<Message>): MessagePart[] {
  const { files, products, orders, collection, citations, handoffOffer, choices = [] } = message;
  const parts: Record<MessagePart, unknown> = {
    files,
    products,
    orders,
    collection: collection?.request,
    citations,
    handoffOffer,
    choices: offeredChoices(choices),
  };
  return (Object.keys(parts) as MessagePart[]).filter((name) => {
    const part = parts[name];
    return Array.isArray(part) ? part.length > 0 : part != null;
  });
}

/** True if the message has nothing to show but its author and its time. */
export function isBlank(message: Message): boolean {
  return !hasVisibleText(message.text) && partsOf(message).length === 0;
}
