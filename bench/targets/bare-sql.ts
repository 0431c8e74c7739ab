/**
 * The least that a turn costs: its two transactions by hand, on the channel's own tables, without HTTP,
 * keys, fences or checks. `node bench/targets/bare-sql.ts URL SECONDS CLIENTS` prints the milliseconds of
 * each turn and the CPU time of the process.
 */
import { randomUUID } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";

const [url = "", seconds = "5", clients = "64"] = process.argv.slice(2);

interface Bare {
  query(text: string, values: unknown[]): Promise<unknown>;
  end(): Promise<void>;
}

async function open(): Promise<Bare> {
  if (url.startsWith("postgres://")) return new pg.Pool({ connectionString: url, max: 16 });
  const pglite = await PGlite.create({ dataDir: url });
  return { query: (text, values) => pglite.query(text, values), end: () => pglite.close() };
}

const begin = `
  with operation as (
    insert into operations (id, channel_key, key, kind, chat_id, fingerprint, state, created_at)
    values ($1, 'dep_bare', $1, 'sendMessage', $2, '', 'running', now())
  ), message as (
    insert into messages (id, chat_id, sequence, role, text, created_at)
    values ($3, $2, $4, 'visitor', $5, now())
  )
  update chats set active_operation_id = $1, last_sequence = $4, updated_at = now() where id = $2`;
const end = `
  with operation as (
    update operations set state = 'succeeded', result = $5, finished_at = now() where id = $1
  ), message as (
    insert into messages (id, chat_id, sequence, role, text, created_at, reply_of_operation_id)
    values ($3, $2, $4, 'agent', $6, now(), $1)
  )
  update chats set active_operation_id = null, last_sequence = $4, updated_at = now() where id = $2`;

const database = await open();
await database.query(
  "insert into channels (key, cursor_secret) values ('dep_bare', '') on conflict do nothing",
  [],
);
const text = "hello";
const times: number[] = [];
const until = performance.now() + Number(seconds) * 1_000;
await Promise.all(
  Array.from({ length: Number(clients) }, async () => {
    const chat = randomUUID();
    await database.query(
      `insert into chats (id, channel_key, user_id, locale, mode, created_at, updated_at)
       values ($1, 'dep_bare', 'bare', 'en', 'agent', now(), now())`,
      [chat],
    );
    let sequence = 0;
    for (let now = performance.now(); now < until; ) {
      const operation = randomUUID();
      sequence += 2;
      await database.query(begin, [operation, chat, randomUUID(), sequence - 1, text]);
      const reply = `Echo: ${text}`;
      const result = JSON.stringify({ message: { text }, reply: { text: reply } });
      await database.query(end, [operation, chat, randomUUID(), sequence, result, reply]);
      const ended = performance.now();
      times.push(ended - now);
      now = ended;
    }
  }),
);
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify({ times, cpu: (user + system) / 1_000 }));
await database.end();
