import type { MessageCardsProps } from "../cards/message-cards.tsx";
import { lazyPart } from "../controls/lazy-part.tsx";

const MessageCards = lazyPart(() => import("../cards/message-cards.tsx"));

/** What comes with a message beside its text, where there is any. */
export function Attached({
  files,
  citations = [],
  products = [],
  orders = [],
}: Pick<MessageCardsProps, "files"> & Partial<MessageCardsProps>) {
  if (files.length + citations.length + products.length + orders.length === 0) return null;
  return <MessageCards files={files} citations={citations} products={products} orders={orders} />;
}
