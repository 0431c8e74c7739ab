import type { Message, MessagePart } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { shownName } from "../../../lib/engine/text-parts.ts";
import { authorName } from "../author-name.ts";
import { isCard } from "../cards/card-parts.ts";
import type { ChatContextValue } from "../chat-context.ts";
import { counted, fill } from "../i18n/strings.ts";
import { offeredChoices } from "./offered-choices.ts";

/** The text that screen readers and notifications use for a part of a message; false for no text. */
type Announce = (message: Message, chat: ChatContextValue) => string | false;

/**
 * The parts of a message, in the order in which they are announced and printed. `message-row.tsx` and
 * `cards/message-cards.tsx` show them, `menu/transcript-text.ts` prints them.
 */
export const announcedParts: Record<MessagePart, Announce> = {
  files: (message, { t, format, shop }) =>
    fill(counted(t.announce.withFiles, message.files.length, format), {
      name: authorName(message, { t, shop }),
      files: format.list(message.files.map(({ filename }) => shownName(filename, t.files.unnamed))),
    }),
  products: ({ products }, { t, format }) => counted(t.announce.withProducts, products.length, format),
  orders: ({ orders }, { t, format }) => counted(t.announce.withOrders, orders.length, format),
  collection: (_message, { t }) => t.announce.withForm,
  // Beside a text, sources are not announced: screen readers find them below it.
  citations: ({ text, citations }, { t, format }) =>
    !hasVisibleText(text) && counted(t.announce.withSources, citations.length, format),
  handoffOffer: (_message, { t }) => t.announce.withOffer,
  choices: ({ choices }, { t, format }) =>
    counted(t.announce.withChoices, offeredChoices(choices).length, format),
};

/** The parts of the message that can be shown. */
export function partsOf(message: Partial<Message>): MessagePart[] {
  const shown = {
    ...message,
    collection: message.collection?.request,
    choices: offeredChoices(message.choices ?? []),
  };
  return (Object.keys(announcedParts) as MessagePart[]).filter((name) => {
    const part = shown[name];
    return Array.isArray(part) ? part.length > 0 : part != null;
  });
}

/** True if the message has nothing to show but its author and its time. */
export function isBlank(message: Message): boolean {
  return !hasVisibleText(message.text) && partsOf(message).length === 0;
}

/** True if a card shows something of the message. */
export function hasCards(message: Partial<Message>): boolean {
  return partsOf(message).some(isCard);
}
