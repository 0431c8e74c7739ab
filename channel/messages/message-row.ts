/** A message's row and its mapping to the Message resource. */
import { type Message, noParts } from "#lib/chat-api/message.ts";
import type { messages } from "../db/schema.ts";

export type MessageRow = typeof messages.$inferSelect;

/** A message that the channel itself stores: unlike imported ones, it always has a time. */
export type NewMessageRow = MessageRow & { createdAt: Date };

/** The message as it is remembered once it has been dropped. */
export function withoutContent(message: Message): Message {
  return { ...message, text: "", ...noParts };
}

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    chatId: row.chatId,
    role: row.role,
    text: row.text,
    createdAt: row.createdAt?.toISOString() ?? null,
    author: row.authorName === null ? null : { name: row.authorName },
    ...noParts,
    ...row.attachments,
  };
}
