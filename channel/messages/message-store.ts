/** Reading messages, and adding one to a chat that a transaction has locked. */
import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import type { MessageRole } from "#lib/chat-api/message.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import { nextVersion } from "../chats/chat-row.ts";
import { type ChatChange, changeChat } from "../chats/chat-store.ts";
import type { Sql } from "../db/database.ts";
import type { Attachments } from "../db/documents.ts";
import { messages } from "../db/schema.ts";
import { newId } from "../ids.ts";
import type { MessageRow, NewMessageRow } from "./message-row.ts";

export interface MessageDraft {
  /** A new one unless given. */
  id?: string;
  role: MessageRole;
  text: string;
  authorName?: string | null;
  attachments?: Attachments;
}

/** The row that follows the chat's latest message. */
export function nextMessage(
  chat: ChatRow,
  draft: MessageDraft & { replyOfOperationId?: string },
  now: Date,
): NewMessageRow {
  return {
    id: draft.id ?? newId("msg"),
    chatId: chat.id,
    sequence: chat.lastSequence + 1,
    role: draft.role,
    text: draft.text,
    createdAt: nextVersion(chat, now),
    authorName: draft.authorName ?? null,
    attachments: draft.attachments ?? {},
    replyOfOperationId: draft.replyOfOperationId ?? null,
  };
}

/** Appends a message to a chat that the transaction has locked, with the changes to the chat that go with it. */
export async function appendMessage(
  tx: Sql,
  chat: ChatRow,
  draft: MessageDraft,
  now: Date,
  change: ChatChange = {},
): Promise<{ chat: ChatRow; message: NewMessageRow }> {
  const message = nextMessage(chat, draft, now);
  await tx.insert(messages).values(message);
  return { chat: await changeChat(tx, chat, { ...change, lastSequence: message.sequence }, now), message };
}

/** Messages that come after the position, oldest first. */
export async function messagesAfter(
  sql: Sql,
  chatId: string,
  sequence: number,
  limit: number,
): Promise<MessageRow[]> {
  return sql
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, chatId), gt(messages.sequence, sequence)))
    .orderBy(asc(messages.sequence))
    .limit(limit);
}

/** The latest messages before the position, oldest first. */
export async function messagesBefore(
  sql: Sql,
  chatId: string,
  sequence: number,
  limit: number,
): Promise<MessageRow[]> {
  const latestFirst = await sql
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, chatId), lt(messages.sequence, sequence)))
    .orderBy(desc(messages.sequence))
    .limit(limit);
  return latestFirst.reverse();
}
