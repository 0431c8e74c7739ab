import type { Message } from "../../../lib/chat-api/message.ts";
import { lazyPart } from "../controls/lazy-part.tsx";
import { hasCards } from "./message-parts.ts";

const MessageCards = lazyPart(() => import("../cards/message-cards.tsx"));

/** What a message carries beside its text, if anything. */
export function Attached({ parts }: { parts: Partial<Message> }) {
  return hasCards(parts) ? <MessageCards parts={parts} /> : null;
}
