/** What is kept for a time only is taken away when the time is over, on the channel's clock. Each sweep is one statement. */
import { and, eq, lte, sql } from "drizzle-orm";
import { limits } from "#lib/chat-api/limits.ts";
import { after } from "../clock.ts";
import type { Sql } from "../db/database.ts";
import { keyTombstones } from "../db/schema.ts";
import type { ReachKillPoint } from "../kill-points.ts";
import { retention } from "../limits.ts";

export interface SweepDeps {
  sql: Sql;
  channelKey: string;
  now: Date;
  reach: ReachKillPoint;
}

/** So many rows in one statement: others wait for it where there is only one connection. */
const batch = 500;

/**
 * Forgets create keys (specification, "General rules", 5: kept 30 days). The hash stays for a while, so that a late
 * repetition is refused instead of starting a second chat. Returns how many were forgotten.
 */
export async function forgetCreateKeys({ sql: tx, channelKey, now, reach }: SweepDeps): Promise<number> {
  reach("K12");
  const forgotten = await tx.execute(sql`
    with forgotten as (
      delete from operations where id in (
        select id from operations
        where channel_key = ${channelKey} and kind = 'createChat'
          and created_at <= ${after(now, -limits.createKeyRetention).toISOString()}::timestamptz
        order by created_at limit ${batch} for update skip locked
      )
      returning channel_key, key, created_at
    )
    insert into key_tombstones (channel_key, key_hash, reason, until)
    select channel_key, encode(sha256(convert_to(key, 'UTF8')), 'hex'), 'expired',
      created_at + ${retention.expiredKeys} * interval '1 millisecond'
    from forgotten
    on conflict (channel_key, key_hash) do update set reason = excluded.reason, until = excluded.until
    returning key_hash`);
  return forgotten.rows.length;
}

export async function dropTombstones({ sql: tx, channelKey, now, reach }: SweepDeps): Promise<number> {
  reach("K12");
  const dropped = await tx
    .delete(keyTombstones)
    .where(and(eq(keyTombstones.channelKey, channelKey), lte(keyTombstones.until, now)))
    .returning({ hash: keyTombstones.keyHash });
  return dropped.length;
}

/**
 * Drops messages that are older than history is kept; their chats say so (`historyComplete`). A chat with a running
 * turn waits for the next time. Returns how many messages were dropped.
 */
export async function dropOldMessages({ sql: tx, channelKey, now, reach }: SweepDeps): Promise<number> {
  reach("K12");
  const dropped = await tx.execute(sql`
    with dropped as (
      delete from messages where id in (
        select messages.id from messages join chats on chats.id = messages.chat_id
        where messages.created_at <= ${after(now, -retention.messages).toISOString()}::timestamptz
          and chats.channel_key = ${channelKey} and chats.active_operation_id is null
        order by messages.created_at limit ${batch} for update of chats skip locked
      )
      returning chat_id
    ), marked as (
      update chats set history_complete = false,
        updated_at = greatest(${now.toISOString()}::timestamptz, updated_at + interval '1 millisecond')
      where id in (select chat_id from dropped)
    )
    select chat_id from dropped`);
  return dropped.rows.length;
}
