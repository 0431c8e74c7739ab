import type { Message } from "../../../lib/chat-api/message.ts";
import { lazyPart } from "../controls/lazy-part.tsx";
import { hasCards } from "./message-parts.ts";

const MessageCards = lazyPart(() => import("../cards/message-cards.tsx"));

/** A message's files, cards, form or offer, if it has any. */
export function Attached({ parts }: { parts: Partial<Message> }) {
  return hasCards(parts) ? <MessageCards parts={parts} /> : null;
}
