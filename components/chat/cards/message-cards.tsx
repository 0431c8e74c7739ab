import type { ReactNode } from "react";
import type { Message } from "../../../lib/chat-api/message.ts";
import { FileList } from "../files/file-list.tsx";
import type { CardPart } from "./card-parts.ts";
import { Citations } from "./citations.tsx";
import { OrderCards } from "./order-card.tsx";
import { ProductCards } from "./product-cards.tsx";

/** By part, in the order on screen. A part of messages without a card does not compile. */
const cards: { [Part in CardPart]: (part: Message[Part]) => ReactNode } = {
  files: (files) => <FileList files={files} />,
  citations: (citations) => <Citations citations={citations} />,
  products: (products) => <ProductCards products={products} />,
  orders: (orders) => <OrderCards orders={orders} />,
};

/** The cards that a message carries beside its text. Loaded with the first such message. */
export function MessageCards({ parts }: { parts: Partial<Message> }) {
  return (Object.keys(cards) as CardPart[]).map((name) => <Card key={name} name={name} parts={parts} />);
}

function Card<Part extends CardPart>({ name, parts }: { name: Part; parts: Partial<Message> }) {
  const part = parts[name];
  return part !== undefined && part.length > 0 && cards[name](part);
}
