/** How each part of a message is shown, announced and printed. */
import type { ReactNode } from "react";
import type { Message, MessagePart } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { authorName } from "../author-name.ts";
import { Citations } from "../cards/citations.tsx";
import { OrderCards } from "../cards/order-card.tsx";
import { ProductCards } from "../cards/product-cards.tsx";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { Contained } from "../crash-boundary.tsx";
import { FileList } from "../files/file-list.tsx";
import { intl } from "../format/format.ts";
import { fill } from "../i18n/strings.ts";
import { offeredChoices } from "./choices.tsx";

/** Tells the host which card the customer has opened. */
interface Opened {
  source(position: number): void;
  product(productId: string): void;
}

interface Part<Value> {
  /** Whether there is something to show. By default a value that is neither null nor an empty list. */
  isPresent?(value: Value): boolean;
  /** Null if `message-row.tsx` shows it, because it depends on other messages. */
  card: ((value: Value, opened: Opened) => ReactNode) | null;
  /** The text for screen readers and notifications; false for none. */
  announced(message: Message, chat: ChatContextValue): string | false;
  /** The lines of a transcript. `form` has those of the message's form, which depend on its other forms. */
  printed(message: Message, chat: ChatContextValue, form: () => string[]): string[];
}

const nothing = () => [];

function numberOf(what: string, items: readonly unknown[], { t, format }: ChatContextValue): string {
  return fill(t.announce.withCards, { what, count: format.number(items.length) });
}

/** The parts in the order on screen. */
const parts: { readonly [Name in MessagePart]: Part<Message[Name]> } = {
  files: {
    card: (files) => <FileList files={files} />,
    announced: (message, { t, format, shop }) =>
      fill(t.announce.withFiles, {
        name: authorName(message, { t, shop }),
        files: intl(Intl.ListFormat, format.locale, { type: "conjunction" }).format(
          message.files.map(({ filename }) => shownName(filename, t.files.unnamed)),
        ),
      }),
    printed: ({ files }, { t, format }) =>
      files.map(({ filename, byteSize }) => {
        const name = shownName(filename, t.files.unnamed);
        return `${t.files.unnamed}: ${name} (${format.bytes(byteSize)})`;
      }),
  },
  citations: {
    card: (citations, { source }) => <Citations citations={citations} onOpen={source} />,
    // Beside a text, sources are not announced: screen readers find them below it.
    announced: ({ text, citations }, chat) =>
      !hasVisibleText(text) && numberOf(chat.t.transcript.sources, citations, chat),
    printed: ({ citations }, { t }) => [
      `${t.transcript.sources}:`,
      ...citations.map(({ title, url }) => (url === null ? `- ${title}` : `- ${title} <${url}>`)),
    ],
  },
  products: {
    card: (products, { product }) => <ProductCards products={products} onOpen={product} />,
    announced: ({ products }, chat) => numberOf(chat.t.products.label, products, chat),
    printed: ({ products }, { format }) =>
      products.map(({ title, price }) =>
        price === null ? title : `${title}, ${format.money(price.amount, price.currency)}`,
      ),
  },
  orders: {
    card: (orders) => <OrderCards orders={orders} />,
    announced: ({ orders }, chat) => numberOf(chat.t.orders.label, orders, chat),
    printed: ({ orders }) => orders.map(({ reference, status }) => `${reference}: ${status}`),
  },
  collection: {
    isPresent: (collection) => collection?.request != null,
    card: null,
    announced: (_message, { t }) => t.announce.withForm,
    printed: (_message, _chat, form) => form(),
  },
  handoffOffer: { card: null, announced: (_message, { t }) => t.announce.withOffer, printed: nothing },
  choices: {
    isPresent: (choices) => offeredChoices(choices).length > 0,
    card: null,
    announced: ({ choices }, chat) => numberOf(chat.t.choices.label, offeredChoices(choices), chat),
    printed: nothing,
  },
};
const names = Object.keys(parts) as MessagePart[];

function hasPart<Name extends MessagePart>(message: Partial<Message>, name: Name): boolean {
  const value = message[name];
  if (value == null) return false;
  return parts[name].isPresent?.(value) ?? !(Array.isArray(value) && value.length === 0);
}

/** The message's parts that can be shown, in the order on screen. */
export function partsOf(message: Partial<Message>): readonly Part<never>[] {
  return names.filter((name) => hasPart(message, name)).map((name) => parts[name]);
}

/** True if the message has nothing to show but its author and its time. */
export function isBlank(message: Message): boolean {
  return !hasVisibleText(message.text) && partsOf(message).length === 0;
}

/** The files and cards that a message carries beside its text. One that fails leaves the others. */
export function MessageCards({ message }: { message: Partial<Message> }) {
  return names
    .filter((name) => parts[name].card !== null && hasPart(message, name))
    .map((name) => (
      <Contained key={name} fallback={null}>
        <Card name={name} message={message} />
      </Contained>
    ));
}

function Card<Name extends MessagePart>({ name, message }: { name: Name; message: Partial<Message> }) {
  const { onEvent } = useChatContext();
  const of = { chatId: message.chatId ?? "", messageId: message.id ?? "" };
  const opened: Opened = {
    source: (position) => onEvent({ type: "source_opened", ...of, position }),
    product: (productId) => onEvent({ type: "product_opened", ...of, productId }),
  };
  const value = message[name];
  return value !== undefined && parts[name].card?.(value, opened);
}
