/**
 * All rows of one channel: deleted by a reset, copied by a snapshot. Streamed text of running turns and the
 * count of the current minute's requests are deleted, but not copied.
 */
import { type SQL, sql } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Database, Sql } from "../db/database.ts";
import { errorCode } from "../error-code.ts";

const ofChats = sql`chat_id in (select id from chats where channel_key = `;

/** The tables in the order of insertion, with the condition that selects a channel's rows. */
const tables: readonly (readonly [table: string, isOwn: (channelKey: string) => SQL])[] = [
  ["channels", (key) => sql`key = ${key}`],
  ["chat_counts", (key) => sql`channel_key = ${key}`],
  ["chats", (key) => sql`channel_key = ${key}`],
  ["messages", (key) => sql`${ofChats}${key})`],
  ["operations", (key) => sql`channel_key = ${key} and ${ofChats}${key})`],
  ["key_tombstones", (key) => sql`channel_key = ${key}`],
  ["files", (key) => sql`${ofChats}${key})`],
  ["file_parts", (key) => sql`file_id in (select id from files where ${ofChats}${key}))`],
  ["collections", (key) => sql`${ofChats}${key})`],
  ["handoff_offers", (key) => sql`${ofChats}${key})`],
  ["outbox", (key) => sql`${ofChats}${key})`],
  ["lab_replies", (key) => sql`channel_key = ${key} and (chat_id is null or ${ofChats}${key}))`],
];

/** A channel's rows by table, as JSON. */
export interface Snapshot {
  channelKey: string;
  tables: Record<string, Record<string, unknown>[]>;
}

export async function readSnapshot(database: Database, channelKey: string): Promise<Snapshot> {
  return database.transaction(async (tx) => {
    const copied: Snapshot["tables"] = {};
    for (const [table, isOwn] of tables) {
      const { rows } = await tx.execute<{ rows: string }>(sql`
        select coalesce(json_agg(own), '[]')::text as rows
        from (select * from ${sql.identifier(table)} where ${isOwn(channelKey)}) own`);
      copied[table] = JSON.parse(rows[0]?.rows ?? "[]");
    }
    return { channelKey, tables: copied };
  });
}

/**
 * Replaces the channel's rows by those of its snapshot, except its keys. A running turn begins again.
 *
 * @throws ChatApiError `invalid_request` unless every row is of the channel: the transaction then has to fail
 */
export async function writeSnapshot(
  tx: Sql,
  { channelKey, tables: copied }: Snapshot,
  keys: { chat_key: string | null; team_key: string | null },
): Promise<void> {
  await deleteRows(tx, channelKey);
  for (const [table, isOwn] of tables) {
    const rows = (copied[table] ?? []).map((row) => (table === "channels" ? { ...row, ...keys } : row));
    // Generated IDs are given anew, in the same order.
    const insert = sql`
      insert into ${sql.identifier(table)} overriding user value
      select * from json_populate_recordset(null::${sql.identifier(table)}, ${JSON.stringify(rows)}::json)`;
    await tx.execute(insert).catch((cause) => refuse(table, cause));
    const { rows: own } = await tx.execute<{ count: number }>(
      sql`select count(*)::integer as count from ${sql.identifier(table)} where ${isOwn(channelKey)}`,
    );
    if (own[0]?.count !== rows.length || (table === "channels" && rows.length !== 1)) refuse(table);
  }
  const running = sql`channel_key = ${channelKey} and state = 'running'`;
  await tx.execute(sql`update operations set owner = null, lease_until = null where ${running}`);
  await tx.execute(sql`
    update chats set active_operation_id = null where channel_key = ${channelKey}
      and active_operation_id not in (select id from operations where ${running})`);
}

/** SQLSTATE 22 and 23: values or rows that the table does not take. */
function refuse(table: string, cause?: unknown): never {
  if (cause !== undefined && !/^2[23]/.test(errorCode(cause) ?? "")) throw cause;
  throw new ChatApiError("invalid_request", {
    field: `/tables/${table}`,
    message: "A snapshot holds the rows of its own channel, as GET /lab/snapshot returned them.",
    cause,
  });
}

export async function deleteRows(tx: Sql, channelKey: string): Promise<void> {
  // Waits for chats that are being created, so that the channel has none left when its row is deleted.
  await tx.execute(sql`select key from channels where key = ${channelKey} for update`);
  await tx.execute(sql`delete from rate_buckets where channel_key = ${channelKey}`);
  for (const [table, isOwn] of tables.toReversed())
    await tx.execute(sql`delete from ${sql.identifier(table)} where ${isOwn(channelKey)}`);
}
