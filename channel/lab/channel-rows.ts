/**
 * All rows of one channel: deleted by a reset, copied by a snapshot. Streamed text of running turns and the
 * count of the current minute's requests are deleted, but not copied.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Database, Sql } from "../db/database.ts";

const ofChats = sql`chat_id in (select id from chats where channel_key = `;

/** The tables in the order of insertion, with the condition that selects a channel's rows. */
const tables: readonly (readonly [table: string, isOwn: (channelKey: string) => SQL])[] = [
  ["channels", (key) => sql`key = ${key}`],
  ["chats", (key) => sql`channel_key = ${key}`],
  ["messages", (key) => sql`${ofChats}${key})`],
  ["operations", (key) => sql`channel_key = ${key}`],
  ["key_tombstones", (key) => sql`channel_key = ${key}`],
  ["files", (key) => sql`${ofChats}${key})`],
  ["file_parts", (key) => sql`file_id in (select id from files where ${ofChats}${key}))`],
  ["collections", (key) => sql`${ofChats}${key})`],
  ["handoff_offers", (key) => sql`${ofChats}${key})`],
  ["outbox", (key) => sql`${ofChats}${key})`],
  ["lab_faults", (key) => sql`channel_key = ${key}`],
  ["lab_replies", (key) => sql`channel_key = ${key}`],
];

/** A channel's rows by table, as JSON. */
export interface Snapshot {
  channelKey: string;
  tables: Record<string, unknown[]>;
}

export async function readSnapshot(database: Database, channelKey: string): Promise<Snapshot> {
  return database.transaction(async (tx) => {
    const copied: Record<string, unknown[]> = {};
    for (const [table, isOwn] of tables) {
      const { rows } = await tx.execute<{ rows: string }>(sql`
        select coalesce(json_agg(own), '[]')::text as rows
        from (select * from ${sql.identifier(table)} where ${isOwn(channelKey)}) own`);
      copied[table] = JSON.parse(rows[0]?.rows ?? "[]");
    }
    return { channelKey, tables: copied };
  });
}

/** Replaces the channel's rows by those of its snapshot. A turn that was running begins again. */
export async function writeSnapshot(tx: Sql, snapshot: Snapshot): Promise<void> {
  const { channelKey } = snapshot;
  await deleteRows(tx, channelKey);
  for (const [table] of tables) {
    const rows = JSON.stringify(snapshot.tables[table] ?? []);
    // Generated IDs are given anew, in the same order.
    await tx.execute(sql`
      insert into ${sql.identifier(table)} overriding user value
      select * from json_populate_recordset(null::${sql.identifier(table)}, ${rows}::json)`);
  }
  await tx.execute(sql`
    update operations set owner = null, lease_until = null
    where channel_key = ${channelKey} and state = 'running'`);
}

export async function deleteRows(tx: Sql, channelKey: string): Promise<void> {
  // Waits for chats that are being created, so that the channel has none left when its row is deleted.
  await tx.execute(sql`select key from channels where key = ${channelKey} for update`);
  await tx.execute(sql`delete from rate_buckets where channel_key = ${channelKey}`);
  for (const [table, isOwn] of tables.toReversed())
    await tx.execute(sql`delete from ${sql.identifier(table)} where ${isOwn(channelKey)}`);
}
