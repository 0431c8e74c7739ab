import type { ReactNode } from "react";
import type { Message, MessagePart } from "../../../lib/chat-api/message.ts";
import { useChatContext } from "../chat-context.ts";
import { CrashBoundary } from "../crash-boundary.tsx";
import { FileList } from "../files/file-list.tsx";
import { Citations } from "./citations.tsx";
import { OrderCards } from "./order-card.tsx";
import { ProductCards } from "./product-cards.tsx";

/** `messages/message-row.tsx` shows the others itself. */
type CardPart = Exclude<MessagePart, "collection" | "handoffOffer" | "choices">;

/** Tells the host which card the customer has opened. */
interface Opened {
  source(position: number): void;
  product(productId: string): void;
}

/** By part, in the order on screen. A part of messages without a card does not compile. */
const cards: { [Part in CardPart]: (part: Message[Part], opened: Opened) => ReactNode } = {
  files: (files) => <FileList files={files} />,
  citations: (citations, { source }) => <Citations citations={citations} onOpen={source} />,
  products: (products, { product }) => <ProductCards products={products} onOpen={product} />,
  orders: (orders) => <OrderCards orders={orders} />,
};

/** The files and cards that a message carries beside its text. One that fails leaves the others. */
export function MessageCards({ parts }: { parts: Partial<Message> }) {
  const { chat } = useChatContext();
  return (Object.keys(cards) as CardPart[]).map((name) => (
    <CrashBoundary key={name} onCrash={chat.failureOf}>
      <Card name={name} parts={parts} />
    </CrashBoundary>
  ));
}

function Card<Part extends CardPart>({ name, parts }: { name: Part; parts: Partial<Message> }) {
  const { onEvent } = useChatContext();
  const part = parts[name];
  const of = { chatId: parts.chatId ?? "", messageId: parts.id ?? "" };
  const opened: Opened = {
    source: (position) => onEvent({ type: "source_opened", ...of, position }),
    product: (productId) => onEvent({ type: "product_opened", ...of, productId }),
  };
  return part !== undefined && part.length > 0 && cards[name](part, opened);
}
