/** Reading and changing chats. */
import { and, eq } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Sql } from "../db/database.ts";
import { chats } from "../db/schema.ts";
import { type ChatRow, nextVersion } from "./chat-row.ts";

export interface ChatPlace {
  channelKey: string;
  chatId: string;
}

const at = ({ channelKey, chatId }: ChatPlace) => and(eq(chats.id, chatId), eq(chats.channelKey, channelKey));

export async function findChat(sql: Sql, place: ChatPlace): Promise<ChatRow | undefined> {
  const [row] = await sql.select().from(chats).where(at(place));
  return row;
}

/** @throws ChatApiError `chat_not_found` */
export async function requireChat(sql: Sql, place: ChatPlace): Promise<ChatRow> {
  const row = await findChat(sql, place);
  if (row === undefined) throw new ChatApiError("chat_not_found");
  return row;
}

/**
 * The chat, which nobody else changes until the transaction's end.
 *
 * @throws ChatApiError `chat_not_found`
 */
export async function lockChat(tx: Sql, place: ChatPlace): Promise<ChatRow> {
  const [row] = await tx.select().from(chats).where(at(place)).for("update");
  if (row === undefined) throw new ChatApiError("chat_not_found");
  return row;
}

export type ChatChange = Partial<Omit<ChatRow, "id" | "channelKey" | "userId" | "createdAt" | "updatedAt">>;

/** Changes a chat that the transaction has locked. What the Chat resource shows changes with a new `updatedAt`. */
export async function changeChat(tx: Sql, chat: ChatRow, change: ChatChange, now: Date): Promise<ChatRow> {
  const changed = { ...change, updatedAt: nextVersion(chat, now) };
  await tx.update(chats).set(changed).where(eq(chats.id, chat.id));
  return { ...chat, ...changed };
}
