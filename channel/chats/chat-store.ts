/**
 * Chats: their rows, their number, the Chat resource, how they are read, changed and deleted, and the checks
 * of their state that several operations share.
 */
import { and, count, eq, type SQL, sql } from "drizzle-orm";
import type { Chat, Handoff } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { ChannelLimits } from "../channel-limits.ts";
import { addTime } from "../core.ts";
import { type Database, type Sql, sqlTime } from "../db/database.ts";
import { chats, operations } from "../db/schema.ts";
import { addTombstone } from "../idempotency/ledger.ts";
import type { Phase } from "../idempotency/run-once.ts";

export type ChatRow = typeof chats.$inferSelect;

export function toChat(row: ChatRow): Chat {
  return {
    id: row.id,
    channelKey: row.channelKey,
    userId: row.userId,
    mode: row.mode,
    teammate: row.teammateName === null ? null : { name: row.teammateName },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    historyComplete: row.historyComplete,
    handoff: handoffOf(row),
  };
}

function handoffOf(row: ChatRow): Handoff | null {
  if (row.handoffStatus === null || row.handoffRequestedAt === null) return null;
  return {
    status: row.handoffStatus,
    requestedAt: row.handoffRequestedAt.toISOString(),
    requiresEmail: row.handoffRequiresEmail ?? false,
    nextAvailableAt: row.handoffNextAvailableAt?.toISOString() ?? null,
    timezone: row.handoffTimezone,
  };
}

/**
 * The `updatedAt` of a change made at `now`: always later than the previous one, even within a millisecond or
 * when clocks differ. It serves as the row's version in statements that require an unchanged chat.
 */
export function nextVersion(row: { updatedAt: Date }, now: Date): Date {
  return now > row.updatedAt ? now : addTime(row.updatedAt, 1);
}

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

const parts = 16;

export function chatCount(channelKey: unknown): SQL<number> {
  return sql<number>`(select coalesce(sum(chats), 0)::integer from chat_counts where channel_key = ${channelKey})`;
}

export async function readChatCount(tx: Sql, channelKey: string): Promise<number> {
  const { rows } = await tx.execute<{ chats: number }>(sql`select ${chatCount(channelKey)} as chats`);
  return rows[0]?.chats ?? 0;
}

/** A statement that adds to the channel's number of chats; `from` selects the channel's key, or nothing. */
export function countChats(difference: 1 | -1, from: SQL): SQL {
  return sql`insert into chat_counts (channel_key, part, chats)
    select channel_key, floor(random() * ${parts})::integer, ${difference}::integer from (${from}) counted
    on conflict (channel_key, part) do update set chats = chat_counts.chats + excluded.chats`;
}

export async function addToChatCount(tx: Sql, channelKey: string, difference: 1 | -1): Promise<void> {
  await tx.execute(countChats(difference, sql`select ${channelKey}::text as channel_key`));
}

/**
 * Remembers the key that created the chat as gone (`idempotency_resource_gone`). Every other key of the chat
 * is deleted with it.
 *
 * @returns the operation of the turn that was running, which the caller abandons
 * @throws ChatApiError `chat_not_found`
 */
export async function deleteChat(database: Database, ref: ChatRef): Promise<string | null> {
  return database.transaction(async (tx) => {
    const chat = await lockChat(tx, ref);
    const [creation] = await tx
      .select({ channelKey: operations.channelKey, key: operations.key, createdAt: operations.createdAt })
      .from(operations)
      .where(and(eq(operations.chatId, chat.id), eq(operations.kind, "createChat")));
    if (creation !== undefined) await addTombstone(tx, creation);
    await tx.delete(chats).where(eq(chats.id, chat.id));
    await addToChatCount(tx, chat.channelKey, -1);
    return chat.activeOperationId;
  });
}

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
  tx: Sql,
  chat: ChatRow,
  limits: ChannelLimits,
  knownCount?: number,
): Promise<void> {
  const existing = knownCount ?? (await readChatCount(tx, chat.channelKey));
  if (existing <= limits.chatsPerChannel) return;
  const [older] = await tx
    .select({ count: count() })
    .from(chats)
    .where(
      and(
        eq(chats.channelKey, chat.channelKey),
        sql`(${chats.createdAt}, ${chats.id}) < (${sqlTime(chat.createdAt)}, ${chat.id})`,
      ),
    );
  if ((older?.count ?? 0) >= limits.chatsPerChannel) throw new ChatApiError("chat_limit_reached");
}
