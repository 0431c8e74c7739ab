/** Create a chat (docs/chat-api.md, "Operations", "Idempotency"). */
import { and, eq, sql } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { CreateChatBody } from "#lib/chat-api/operations/create-chat.ts";
import { type ChannelLimits, writeAttempts } from "../channel-limits.ts";
import type { Core } from "../core.ts";
import { type Sql, sqlTime, withRetries } from "../db/database.ts";
import { channels, chats, operations } from "../db/schema.ts";
import {
  hasTombstone,
  keyExpiresAt,
  type OperationRow,
  requireSameRequest,
  runningTurns,
} from "../idempotency/ledger.ts";
import { newId } from "../ids.ts";
import { type ChatRow, chatCount, countChats } from "./chat-store.ts";

export interface CreateRequest {
  channelKey: string;
  key: string;
  fingerprint: string;
}

/** Creates the chat, or returns the chat that this key created, in its current state. */
export async function createChat(
  deps: Pick<Core, "database" | "clock">,
  request: CreateRequest,
  body: CreateChatBody,
  limits: ChannelLimits,
): Promise<{ chat: ChatRow; isReplay: boolean }> {
  const { database } = deps;
  const { sql: db } = database;
  const farFromFull = { ...limits, chatsPerChannel: limits.chatsPerChannel - lastChats };
  for (let attempt = 0; attempt < writeAttempts; attempt += 1) {
    const now = deps.clock.now();
    const row = newChatRow(request.channelKey, body, now);
    const isInserted =
      attempt === 0
        ? await withRetries(() => insertChat(db, request, row, farFromFull))
        : await database.transaction(async (tx) => {
            await lockChannel(tx, request.channelKey);
            return insertChat(tx, request, row, limits);
          });
    if (isInserted) return { chat: row, isReplay: false };
    const creation = await findCreation(db, request);
    if (creation !== undefined) return { chat: requireOwn(creation, request, now), isReplay: true };
    await requireRoom(db, request, now, limits);
    // What was in the way is gone.
  }
  throw new ChatApiError("capacity_limited");
}

/**
 * Concurrent creates do not see each other in the number of chats. The plan's last chats are therefore
 * created one after the other: more of them than creates can be under way.
 */
const lastChats = 1_000;

/** Waits for creates under way, whose chats refer to the channel's row. */
async function lockChannel(tx: Sql, channelKey: string): Promise<void> {
  await tx.select({ key: channels.key }).from(channels).where(eq(channels.key, channelKey)).for("update");
}

interface Creation {
  operation: OperationRow;
  chat: ChatRow;
}

async function findCreation(tx: Sql, request: CreateRequest): Promise<Creation | undefined> {
  const [row] = await tx
    .select({ operation: operations, chat: chats })
    .from(operations)
    .innerJoin(chats, eq(chats.id, operations.chatId))
    .where(and(eq(operations.channelKey, request.channelKey), eq(operations.key, request.key)));
  return row;
}

function requireOwn({ operation, chat }: Creation, request: CreateRequest, now: Date): ChatRow {
  // The key has expired because of its age, even if no sweep has removed it yet.
  if (operation.kind === "createChat" && keyExpiresAt(operation.createdAt) <= now)
    throw new ChatApiError("idempotency_key_expired");
  requireSameRequest(operation, { ...request, kind: "createChat", chatId: chat.id });
  return chat;
}

/** @throws ChatApiError `idempotency_resource_gone`, `chat_limit_reached`, `capacity_limited` */
async function requireRoom(
  tx: Sql,
  { channelKey, key }: CreateRequest,
  now: Date,
  limits: ChannelLimits,
): Promise<void> {
  const [channel] = await tx
    .select({
      isGone: hasTombstone(channelKey, key, now),
      existing: chatCount(channelKey),
      running: sql<number>`${runningTurns(channelKey)}::integer`,
    })
    .from(channels)
    .where(eq(channels.key, channelKey));
  if (channel === undefined) throw new Error(`The channel ${channelKey} was removed from its database.`);
  if (channel.isGone) throw new ChatApiError("idempotency_resource_gone");
  if (channel.existing >= limits.chatsPerChannel) throw new ChatApiError("chat_limit_reached");
  if (channel.running >= limits.concurrentTurns) throw new ChatApiError("capacity_limited");
}

export function newChatRow(channelKey: string, body: CreateChatBody, now: Date): ChatRow {
  return {
    id: newId("chat"),
    channelKey,
    userId: body.userId ?? newId("guest"),
    locale: body.locale ?? defaultLocale,
    mode: "agent",
    teammateName: null,
    createdAt: now,
    updatedAt: now,
    resolvedAt: null,
    historyComplete: true,
    handoffStatus: null,
    handoffRequestedAt: null,
    handoffRequiresEmail: null,
    handoffNextAvailableAt: null,
    handoffTimezone: null,
    handoffEmail: null,
    activeOperationId: null,
    lastSequence: 0,
    operationCount: 0,
    latestOffer: null,
  };
}

export const defaultLocale = "en";

/**
 * Inserts the chat and its key in a single statement, so that neither can exist without the other. False if
 * the key is known or there is no room.
 */
async function insertChat(
  tx: Sql,
  request: CreateRequest,
  row: ChatRow,
  limits: ChannelLimits,
): Promise<boolean> {
  const createdAt = sqlTime(row.createdAt);
  const inserted = await tx.execute<{ id: string }>(sql`
    with room as (
      select key from channels where key = ${row.channelKey}
        and ${chatCount(row.channelKey)} < ${limits.chatsPerChannel}
        and ${runningTurns(row.channelKey)} < ${limits.concurrentTurns}
        and not ${hasTombstone(row.channelKey, request.key, row.createdAt)}
      for key share
    ), operation as (
      insert into operations (id, channel_key, key, kind, chat_id, fingerprint, state, created_at, finished_at)
      select ${newId("op")}, key, ${request.key}, 'createChat', ${row.id}, ${request.fingerprint}, 'succeeded',
        ${createdAt}, ${createdAt}
      from room
      on conflict do nothing
      returning channel_key
    ), counted as (
      ${countChats(1, sql`select channel_key from operation`)}
    )
    insert into chats (id, channel_key, user_id, locale, mode, created_at, updated_at)
    select ${row.id}, ${row.channelKey}, ${row.userId}, ${row.locale}, ${row.mode}, ${createdAt}, ${createdAt}
    from operation
    returning id`);
  return inserted.rows.length === 1;
}
