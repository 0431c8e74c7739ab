import type { Message } from "#lib/chat-api/message.ts";
import { FileList } from "../files/file-list.tsx";
import { Citations } from "./citations.tsx";
import { OrderCards } from "./order-card.tsx";
import { ProductCards } from "./product-cards.tsx";

export type MessageCardsProps = {
  [Part in "files" | "citations" | "products" | "orders"]: Readonly<Message[Part]>;
};

/** What comes with a message beside its text. Loaded with the first message that has some. */
export default function MessageCards({ files, citations, products, orders }: MessageCardsProps) {
  return (
    <>
      {files.length > 0 && <FileList files={files} />}
      <Citations citations={citations} />
      <ProductCards products={products} />
      <OrderCards orders={orders} />
    </>
  );
}
