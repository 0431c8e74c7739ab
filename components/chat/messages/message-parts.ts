import type { Message, MessagePart } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { shownName } from "../../../lib/conversation/attachments.ts";
import { authorName } from "../author-name.ts";
import type { ChatContextValue, ShellContextValue } from "../chat-context.ts";
import { bytesOf } from "../format/bytes.ts";
import { moneyOf } from "../format/money.ts";
import { counted, fill } from "../i18n/strings.ts";
import { offeredChoices } from "./offered-choices.ts";

interface PartAsText {
  /** For screen readers and notifications, when the message carries the part; false for nothing. */
  announce(message: Message, chat: ShellContextValue): string | false;
  /** Lines of the saved or printed conversation. */
  transcript?(message: Message, chat: ChatContextValue): string[];
}

/** What a message can carry, as text, in reading order. `cards/message-cards.tsx` shows it. */
export const messageParts: Record<MessagePart, PartAsText> = {
  files: {
    announce: (message, chat) =>
      fill(counted(chat.t.announce.withFiles, message.files.length, chat.format), {
        name: authorName(message, chat),
        files: chat.format.list(message.files.map(({ filename }) => shownName(filename))),
      }),
    transcript: ({ files }, { t, format }) =>
      files.map(
        ({ filename, byteSize }) =>
          `${t.transcript.file}: ${shownName(filename)} (${bytesOf(byteSize, format.locale)})`,
      ),
  },
  products: {
    announce: ({ products }, { t, format }) => counted(t.announce.withProducts, products.length, format),
    transcript: ({ products }, { format }) =>
      products.map(({ title, price }) =>
        price === null ? title : `${title}, ${moneyOf(price.amount, price.currency, format.locale)}`,
      ),
  },
  orders: {
    announce: ({ orders }, { t, format }) => counted(t.announce.withOrders, orders.length, format),
    transcript: ({ orders }) => orders.map(({ reference, status }) => `${reference}: ${status}`),
  },
  // Its transcript compares all forms of the conversation: `transcript-text.ts`.
  collection: { announce: ({ collection }, { t }) => collection?.request != null && t.announce.withForm },
  citations: {
    // With a text, sources are announced only on request.
    announce: ({ text, citations }, { t, format }) =>
      !hasVisibleText(text) && counted(t.announce.withSources, citations.length, format),
    transcript: ({ citations }, { t }) => [
      `${t.transcript.sources}:`,
      ...citations.map(({ title, url }) => (url === null ? `- ${title}` : `- ${title} <${url}>`)),
    ],
  },
  handoffOffer: { announce: (_message, { t }) => t.announce.withOffer },
  choices: {
    announce({ choices }, { t, format }) {
      const { length } = offeredChoices(choices);
      return length > 0 && counted(t.announce.withChoices, length, format);
    },
  },
};

/** The parts that the message carries. */
export function partsOf(message: Partial<Message>): MessagePart[] {
  return (Object.keys(messageParts) as MessagePart[]).filter((name) => {
    const part = message[name] ?? null;
    return Array.isArray(part) ? part.length > 0 : part !== null;
  });
}

/** True if `cards/message-cards.tsx` has something to show; the message itself shows the other parts. */
export function hasCards(message: Partial<Message>): boolean {
  const others: readonly MessagePart[] = ["collection", "handoffOffer", "choices"];
  return partsOf(message).some((part) => !others.includes(part));
}
