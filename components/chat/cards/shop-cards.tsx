import type { Message } from "#lib/chat-api/message.ts";
import { OrderCards } from "./order-card.tsx";
import { ProductCards } from "./product-cards.tsx";

/** What the agent shows of the shop. Loaded with the first message that has some. */
export default function ShopCards({ message }: { message: Message }) {
  return (
    <>
      <ProductCards products={message.products} />
      <OrderCards orders={message.orders} />
    </>
  );
}
