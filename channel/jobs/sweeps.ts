/** Removes data past its retention on the channel's clock, and old deltas. Each sweep is one statement. */
import { and, eq, lte, sql } from "drizzle-orm";
import { retention } from "../channel-limits.ts";
import { addTime } from "../clock.ts";
import type { Sql } from "../db/database.ts";
import { keyTombstones, operations, turnDeltas } from "../db/schema.ts";
import type { ReachKillPoint } from "../kill-points.ts";

export interface SweepDeps {
  sql: Sql;
  channelKey: string;
  now: Date;
  reach: ReachKillPoint;
}

/** Keys or messages per statement: on PGlite's single connection, everything else waits for it. */
const batch = 500;
const filesBatch = 100;

/** Deletes create keys long after they have expired: a repetition is then a new request. */
export async function dropCreateKeys({ sql: tx, channelKey, now, reach }: SweepDeps): Promise<number> {
  reach("inside-sweep");
  const dropped = await tx.execute(sql`
    delete from operations where id in (
      select id from operations
      where channel_key = ${channelKey} and kind = 'createChat'
        and created_at <= ${addTime(now, -retention.expiredKeys).toISOString()}::timestamptz
      limit ${batch} for update skip locked
    )
    returning id`);
  return dropped.rows.length;
}

export async function dropTombstones({ sql: tx, channelKey, now, reach }: SweepDeps): Promise<number> {
  reach("inside-sweep");
  const dropped = await tx
    .delete(keyTombstones)
    .where(and(eq(keyTombstones.channelKey, channelKey), lte(keyTombstones.until, now)))
    .returning({ hash: keyTombstones.keyHash });
  return dropped.length;
}

/**
 * Removes messages past their retention and marks their chats' history as incomplete. Chats with a running
 * turn wait for the next sweep. Returns how many messages were removed.
 */
export async function dropOldMessages({ sql: tx, channelKey, now, reach }: SweepDeps): Promise<number> {
  reach("inside-sweep");
  const dropped = await tx.execute(sql`
    with dropped as (
      delete from messages where id in (
        select messages.id from messages join chats on chats.id = messages.chat_id
        where messages.created_at <= ${addTime(now, -retention.messages).toISOString()}::timestamptz
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

/**
 * Deletes the bytes of unsent files a day after their upload (docs/chat-api.md, "File"). Rows stay, so that a
 * repeated upload with the same key finds its file. A message being sent with the file holds the row's lock
 * and wins. Returns how many files lost their bytes.
 */
export async function dropUnsentFiles({ sql: tx, channelKey, now, reach }: SweepDeps): Promise<number> {
  reach("inside-sweep");
  const dropped = await tx.execute(sql`
    delete from file_parts where file_id in (
      select files.id from files
      join chats on chats.id = files.chat_id
      join file_parts on file_parts.file_id = files.id and file_parts.part = 0
      where chats.channel_key = ${channelKey} and files.expires_at <= ${now.toISOString()}::timestamptz
      limit ${filesBatch} for update of files skip locked
    )
    returning file_id`);
  return dropped.rows.length;
}

/**
 * Removes the deltas of ended turns and replaced attempts, which a crash or a retry leaves behind. Returns
 * how many.
 */
export async function dropDeltas({ sql: tx, channelKey, reach }: SweepDeps): Promise<number> {
  reach("inside-sweep");
  const dropped = await tx.execute(sql`
    delete from ${turnDeltas} using ${operations}
    where ${operations.id} = ${turnDeltas.operationId} and ${operations.channelKey} = ${channelKey}
      and (${operations.state} <> 'running' or ${operations.fence} <> ${turnDeltas.fence})
    returning ${turnDeltas.sequence}`);
  return dropped.rows.length;
}
