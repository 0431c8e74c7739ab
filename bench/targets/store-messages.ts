/**
 * Fills a channel's database by SQL before the channel starts: `node bench/targets/store-messages.ts URL
 * COUNT` stores that many messages in chats of fifty, with the operations that wrote them, and prints the
 * bytes per message, including indexes, chats and operations.
 */
import { sql } from "drizzle-orm";
import { openDatabase } from "../../channel/db/open-database.ts";

const [url = "", count = "0"] = process.argv.slice(2);
const perChat = 50;
/** Limits one statement, because PGlite holds all its rows in memory. */
const chatsAtOnce = 500;

const database = await openDatabase(url);
const before = await size();
const chats = Math.ceil(Number(count) / perChat);
await database.sql.execute(sql`
  insert into channels (key, cursor_secret) values ('dep_benchmark', 'secret') on conflict do nothing`);
await database.sql.execute(sql`insert into chat_counts values ('dep_benchmark', 0, ${chats})`);
for (let from = 1; from <= chats; from += chatsAtOnce) {
  const of = sql`generate_series(${from}::integer, ${Math.min(chats, from + chatsAtOnce - 1)}::integer) as chat`;
  await database.sql.execute(sql`
    insert into chats (id, channel_key, user_id, locale, mode, created_at, updated_at, last_sequence,
      operation_count)
    select 'chat_stored_' || chat, 'dep_benchmark', 'customer', 'en', 'agent', now(), now(), ${perChat},
      ${perChat / 2}
    from ${of}`);
  await database.sql.execute(sql`
    insert into operations (id, channel_key, key, kind, chat_id, fingerprint, state, message_id, reply_id,
      result, created_at, finished_at)
    select 'op_' || md5(chat || '/' || turn), 'dep_benchmark', md5(chat || '/' || turn), 'sendMessage',
      'chat_stored_' || chat, md5(turn::text), 'succeeded', md5(chat || '/' || (2 * turn - 1)),
      md5(chat || '/' || (2 * turn)), repeat('x', 1000), now(), now()
    from ${of}, generate_series(1, ${perChat / 2}::integer) as turn`);
  await database.sql.execute(sql`
    insert into messages (id, chat_id, sequence, role, text, created_at, reply_of_operation_id)
    select md5(chat || '/' || sequence), 'chat_stored_' || chat, sequence,
      case when sequence % 2 = 1 then 'visitor' else 'agent' end, repeat('word ', 20), now(),
      case when sequence % 2 = 0 then 'op_' || md5(chat || '/' || sequence / 2) end
    from ${of}, generate_series(1, ${perChat}::integer) as sequence`);
}
await database.sql.execute(sql`analyze`);
console.log(`${Math.round(((await size()) - before) / Math.max(1, Number(count)))} bytes for each message`);
await database.close();

async function size(): Promise<number> {
  const { rows } = await database.sql.execute<{ size: string }>(
    sql`select pg_database_size(current_database()) as size`,
  );
  return Number(rows[0]?.size);
}
