/** A message as it is stored, and as the Message resource shows it. */
import type { Message } from "#lib/chat-api/message.ts";
import type { messages } from "../db/schema.ts";

export type MessageRow = typeof messages.$inferSelect;

/** A message of the channel's own: only those brought in from elsewhere may lack a time. */
export type NewMessageRow = MessageRow & { createdAt: Date };

export function toMessage(row: MessageRow): Message {
  const { attachments } = row;
  return {
    id: row.id,
    chatId: row.chatId,
    role: row.role,
    text: row.text,
    createdAt: row.createdAt?.toISOString() ?? null,
    author: row.authorName === null ? null : { name: row.authorName },
    files: [...(attachments.files ?? [])],
    citations: [...(attachments.citations ?? [])],
    products: [...(attachments.products ?? [])],
    orders: [...(attachments.orders ?? [])],
    choices: [...(attachments.choices ?? [])],
    collection: attachments.collection ?? null,
    handoffOffer: attachments.handoffOffer ?? null,
  };
}
