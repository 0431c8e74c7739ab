/** Reading and changing chats. */
import { and, eq } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Sql } from "../db/database.ts";
import { chats } from "../db/schema.ts";
import type { Phase } from "../idempotency/run-once.ts";
import { type ChatRow, nextVersion } from "./chat-row.ts";

/** A phase of a write to a chat. */
export type ChatPhase = Phase<ChatRow>;

export interface ChatRef {
  channelKey: string;
  chatId: string;
}

const at = ({ channelKey, chatId }: ChatRef) => and(eq(chats.id, chatId), eq(chats.channelKey, channelKey));

export async function findChat(sql: Sql, ref: ChatRef): Promise<ChatRow | undefined> {
  const [row] = await sql.select().from(chats).where(at(ref));
  return row;
}

/** @throws ChatApiError `chat_not_found` */
export async function requireChat(sql: Sql, ref: ChatRef): Promise<ChatRow> {
  const row = await findChat(sql, ref);
  if (row === undefined) throw new ChatApiError("chat_not_found");
  return row;
}

/**
 * Reads the chat and locks it until the transaction ends.
 *
 * @throws ChatApiError `chat_not_found`
 */
export async function lockChat(tx: Sql, ref: ChatRef): Promise<ChatRow> {
  const [row] = await tx.select().from(chats).where(at(ref)).for("update");
  if (row === undefined) throw new ChatApiError("chat_not_found");
  return row;
}

export type ChatChange = Partial<Omit<ChatRow, "id" | "channelKey" | "userId" | "createdAt" | "updatedAt">>;

/** Changes a chat that the transaction has locked, and advances its `updatedAt`. */
export async function changeChat(tx: Sql, chat: ChatRow, change: ChatChange, now: Date): Promise<ChatRow> {
  const changed = { ...change, updatedAt: nextVersion(chat, now) };
  await tx.update(chats).set(changed).where(eq(chats.id, chat.id));
  return { ...chat, ...changed };
}
