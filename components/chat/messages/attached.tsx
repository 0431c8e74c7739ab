import type { Message } from "../../../lib/chat-api/message.ts";
import { lazyPart } from "../controls/lazy-part.tsx";
import { hasCards } from "./message-parts.ts";

const MessageCards = lazyPart(() => import("../cards/message-cards.tsx"));

/** A message's files and cards, if it has any. `MessageRow` renders its form, offer and choices. */
export function Attached({ parts }: { parts: Partial<Message> }) {
  return hasCards(parts) ? <MessageCards parts={parts} /> : null;
}
