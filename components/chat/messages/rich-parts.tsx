import type { Message } from "../../../lib/chat-api/message.ts";
import { LazyPart } from "../controls/lazy-parts.tsx";
import { lazyParts } from "../controls/load-on-use.ts";
import { hasCards } from "./message-parts.ts";

/** What messages have besides text, and what the chat says about failures and the team. */
export const richParts = lazyParts(() => import("./rich-content.ts"));

/** A message's files and cards, if it has any. `MessageRow` renders its form, offer and choices. */
export function Attached({ parts }: { parts: Partial<Message> }) {
  return (
    hasCards(parts) && (
      <LazyPart of={richParts}>{({ MessageCards }) => <MessageCards parts={parts} />}</LazyPart>
    )
  );
}
