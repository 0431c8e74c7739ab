/** Removes data past its retention on the channel's clock. */
import { and, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { MessageTurn } from "#lib/chat-api/message.ts";
import { retention } from "../channel-limits.ts";
import { addTime, type Core } from "../core.ts";
import { sqlTime } from "../db/database.ts";
import { operations } from "../db/schema.ts";
import { withoutContent } from "../messages/message-store.ts";

type SweepDeps = Pick<Core, "database" | "channelKey" | "clock" | "reach">;

/** Rows per sweep: on PGlite's single connection, everything else waits for it. */
const batch = 500;
const filesBatch = 100;

/** Sweeps of one statement, which returns a row for each row that it removes. */
const statements = {
  /** Create keys long after they have expired: a repetition is then a new request. */
  "create keys": (channelKey, now) => sql`
    delete from operations where id in (
      select id from operations
      where channel_key = ${channelKey} and kind = 'createChat'
        and created_at <= ${sqlTime(addTime(now, -retention.expiredKeys))}
      limit ${batch} for update skip locked
    )
    returning id`,

  tombstones: (channelKey, now) => sql`
    delete from key_tombstones where channel_key = ${channelKey} and key_hash in (
      select key_hash from key_tombstones where channel_key = ${channelKey} and until <= ${sqlTime(now)}
      limit ${batch}
    )
    returning key_hash`,

  /**
   * Files and their names: unsent ones a day after their upload (docs/chat-api.md, "File") and those of
   * dropped messages. A repeated upload with the same key restores them. A message being sent with the file
   * holds the row's lock and wins.
   */
  "expired files": (channelKey, now) => sql`
    with dropped as (
      delete from files where id in (
        select files.id from files join chats on chats.id = files.chat_id
        where chats.channel_key = ${channelKey} and files.expires_at <= ${sqlTime(now)}
        limit ${filesBatch} for update of files skip locked
      )
      returning id, chat_id
    ), forgotten as (
      update operations set result = json_build_object('id', dropped.id)::text from dropped
      where operations.chat_id = dropped.chat_id and operations.kind = 'uploadFile'
        and position(dropped.id in operations.result) > 0
    )
    select id from dropped`,
} satisfies Record<string, (channelKey: string, now: Date) => SQL>;

/** Removes one batch. Returns how many rows it had. */
export async function sweep(
  name: keyof typeof statements | "old messages",
  deps: SweepDeps,
): Promise<number> {
  const { database, channelKey, clock, reach } = deps;
  if (name === "old messages") return dropOldMessages(deps);
  reach("inside-sweep");
  return (await database.sql.execute(statements[name](channelKey, clock.now()))).rows.length;
}

/**
 * Removes messages past their retention, lets their files expire, and marks their chats' history as
 * incomplete. Replays of their keys then return them without content. Chats with a running turn wait for the
 * next sweep. Returns how many messages were removed.
 */
async function dropOldMessages({ database, channelKey, clock, reach }: SweepDeps): Promise<number> {
  const now = clock.now();
  const time = sqlTime(now);
  return database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string; chat_id: string }>(sql`
      with dropped as (
        delete from messages where id in (
          select messages.id from messages join chats on chats.id = messages.chat_id
          where messages.created_at <= ${sqlTime(addTime(now, -retention.messages))}
            and chats.channel_key = ${channelKey} and chats.active_operation_id is null
          order by messages.created_at limit ${batch} for update of chats skip locked
        )
        returning id, chat_id, attachments
      ), marked as (
        update chats set history_complete = false, updated_at = greatest(${time}, updated_at + interval '1 millisecond')
        where id in (select chat_id from dropped)
      ), expired as (
        update files set expires_at = ${time} from dropped
        where files.chat_id = dropped.chat_id and position(files.id in dropped.attachments) > 0
          and not exists (select 1 from messages other where other.chat_id = files.chat_id
            and position(files.id in other.attachments) > 0 and other.id not in (select id from dropped))
      )
      select id, chat_id from dropped`);
    reach("inside-sweep");
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    const chatIds = [...new Set(rows.map((row) => row.chat_id))];
    // A follow-up turn has no result: no caller has its key.
    const isSend = eq(operations.kind, "sendMessage");
    const ofDropped = or(inArray(operations.messageId, ids), inArray(operations.replyId, ids));
    const turns = await tx
      .select({ id: operations.id, result: operations.result })
      .from(operations)
      .where(and(inArray(operations.chatId, chatIds), isSend, ofDropped, isNotNull(operations.result)));
    for (const { id, result } of turns) {
      // Written from a MessageTurn.
      const { message, reply, chat } = result as MessageTurn;
      const forgotten = { message: withoutContent(message), reply: reply && withoutContent(reply), chat };
      await tx.update(operations).set({ result: forgotten }).where(eq(operations.id, id));
    }
    return ids.length;
  });
}
