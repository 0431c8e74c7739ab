import type { Message } from "../../../lib/chat-api/message.ts";
import { lazyComponent } from "../controls/lazy-parts.tsx";
import { lazyParts } from "../controls/load-on-use.ts";
import { hasCards } from "./message-parts.ts";

/** What messages have besides text, and what the chat says about failures and the team. */
const richParts = lazyParts(() => import("./rich-content.ts"));

export const FormCard = lazyComponent(richParts, (parts) => parts.FormCard);
export const NoteRow = lazyComponent(richParts, (parts) => parts.NoteRow);
export const OfferCard = lazyComponent(richParts, (parts) => parts.OfferCard);
export const UnreadNote = lazyComponent(richParts, (parts) => parts.UnreadNote);
export const WaitingBanner = lazyComponent(richParts, (parts) => parts.WaitingBanner);
const MessageCards = lazyComponent(richParts, (parts) => parts.MessageCards);

/** A message's files and cards, if it has any. `MessageRow` renders its form, offer and choices. */
export function Attached({ parts }: { parts: Partial<Message> }) {
  return hasCards(parts) && <MessageCards parts={parts} />;
}
