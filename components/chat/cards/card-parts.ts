import type { MessagePart } from "../../../lib/chat-api/message.ts";

/** The parts that `messages/message-row.tsx` shows itself. */
const ofRow = ["collection", "handoffOffer", "choices"] as const satisfies readonly MessagePart[];

/** The others, which `message-cards.tsx` shows. */
export type CardPart = Exclude<MessagePart, (typeof ofRow)[number]>;

export const isCard = (part: MessagePart): part is CardPart =>
  !(ofRow as readonly MessagePart[]).includes(part);
