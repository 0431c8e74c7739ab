/** Checks of a chat's state that several operations share, in the order in which they are made. */
import { and, count, eq, sql as fragment } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { ChannelLimits } from "../channel-limits.ts";
import { sqlTime } from "../db/columns.ts";
import type { Sql } from "../db/database.ts";
import { chats } from "../db/schema.ts";
import { type ChatRow, readChatCount } from "./chat-store.ts";

/** @throws ChatApiError `operation_capacity_reached`, `chat_closed`, `turn_in_progress` */
export function requireReady(chat: ChatRow, limits: ChannelLimits): void {
  if (chat.operationCount >= limits.operationsPerChat) throw new ChatApiError("operation_capacity_reached");
  requireOpen(chat);
  if (chat.activeOperationId !== null) throw new ChatApiError("turn_in_progress");
}

/** @throws ChatApiError `chat_closed` */
export function requireOpen(chat: ChatRow): void {
  if (chat.mode === "resolved") throw new ChatApiError("chat_closed");
}

/**
 * Refuses a chat beyond the plan: when a plan shrinks, its oldest chats keep working and the others accept
 * no writes but uploads.
 *
 * @throws ChatApiError `chat_limit_reached`
 */
export async function requirePlan(
  sql: Sql,
  chat: ChatRow,
  limits: ChannelLimits,
  knownCount?: number,
): Promise<void> {
  const existing = knownCount ?? (await readChatCount(sql, chat.channelKey));
  if (existing <= limits.chatsPerChannel) return;
  const [older] = await sql
    .select({ count: count() })
    .from(chats)
    .where(
      and(
        eq(chats.channelKey, chat.channelKey),
        fragment`(${chats.createdAt}, ${chats.id}) < (${sqlTime(chat.createdAt)}, ${chat.id})`,
      ),
    );
  if ((older?.count ?? 0) >= limits.chatsPerChannel) throw new ChatApiError("chat_limit_reached");
}
