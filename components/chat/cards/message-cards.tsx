import type { Message } from "../../../lib/chat-api/message.ts";
import { FileList } from "../files/file-list.tsx";
import { Citations } from "./citations.tsx";
import { OrderCards } from "./order-card.tsx";
import { ProductCards } from "./product-cards.tsx";

/** The cards that a message carries beside its text. Loaded with the first such message. */
export function MessageCards({
  parts: { files = [], citations = [], products = [], orders = [] },
}: {
  parts: Partial<Message>;
}) {
  return (
    <>
      {files.length > 0 && <FileList files={files} />}
      <Citations citations={citations} />
      <ProductCards products={products} />
      <OrderCards orders={orders} />
    </>
  );
}
