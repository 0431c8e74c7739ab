/**
 * The number of a channel's chats, for the plan's limit: counting their rows would take too long. It is the
 * sum of several rows, because each create locks its row until it commits.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Sql } from "../db/database.ts";

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
