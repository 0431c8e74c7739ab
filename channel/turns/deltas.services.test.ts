/** A turn's deltas join to its reply while several processes write to one PostgreSQL. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEvent } from "../agents/agent.ts";
import { turnLimits } from "../channel-limits.ts";
import { openPostgres } from "../db/postgres.ts";
import { newPostgresDatabase } from "../testing/channel-process.ts";
import { type ReadStream, readTurnStream } from "../testing/read-turn-stream.ts";
import { heldReply } from "../testing/scripted-agent.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";

interface TwoProcesses {
  one: TestChannel;
  two: TestChannel;
  admin: pg.Client;
}

/** Two channels on one database, and a connection for the test to interfere with. */
async function twoProcesses(): Promise<TwoProcesses> {
  const url = await newPostgresDatabase();
  const databases = [await openPostgres(url), await openPostgres(url)] as const;
  const one = await testChannel({ database: databases[0] });
  const two = await testChannel({ database: databases[1], channelKey: one.channelKey });
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  for (const { channel } of [one, two]) channel.start();
  onTestFinished(async () => {
    await admin.end();
    for (const { channel } of [one, two]) await channel.stop(0);
    for (const database of databases) await database.close();
  });
  return { one, two, admin };
}

async function stream(channel: TestChannel, chatId: string, key: string): Promise<ReadStream> {
  return readTurnStream(await channel.stream(chatId, key));
}

function replyText(read: ReadStream): string | undefined {
  const last = read.events.at(-1);
  return last?.type === "done" ? last.item.reply?.text : undefined;
}

async function count(admin: pg.Client, query: string): Promise<number> {
  const { rows } = await admin.query<{ count: string }>(`select count(*) from ${query}`);
  return Number(rows[0]?.count);
}

test("a delta write still in progress when its turn ends leaves nothing behind", async () => {
  const { one, two, admin } = await twoProcesses();
  // The second write has its snapshot and blocks while the test holds the advisory lock.
  await admin.query(`
    create function hold() returns trigger language plpgsql as
      $$ begin if new.sequence > 1 then perform pg_advisory_xact_lock_shared(1); end if; return new; end $$;
    create trigger hold before insert on turn_deltas for each row execute function hold();
    select pg_advisory_lock(1)`);
  const { second, third } = heldReply(one.agent);
  const chatId = await one.createChat();
  const key = randomUUID();
  const first = stream(one, chatId, key);
  await expect.poll(() => count(admin, "operations where state = 'running'")).toBe(1);
  const followed = stream(two, chatId, key);
  const waiting = (event: string) =>
    count(admin, `pg_stat_activity where datname = current_database() and wait_event = '${event}'`);
  await expect.poll(() => count(admin, "turn_deltas")).toBe(1);
  second();
  await expect.poll(() => waiting("advisory")).toBe(1);
  third();
  // The statement that ends the turn either completes despite the write or waits for it.
  await expect
    .poll(
      async () => (await waiting("transactionid")) + (await count(admin, "messages where role = 'agent'")),
    )
    .toBe(1);
  await admin.query("select pg_advisory_unlock(1)");
  expect((await first).text).toBe("One two three.");
  expect((await followed).text).toBe("One two three.");
  await expect.poll(() => waiting("advisory")).toBe(0);
  for (const channel of [one, two]) {
    const replay = await stream(channel, chatId, key);
    expect(replay.text).toBe("One two three.");
    expect(replyText(replay)).toBe("One two three.");
  }
  await expect.poll(() => count(admin, "turn_deltas")).toBe(0);
});

test("the deltas of a turn join to its reply whenever they are read", async () => {
  const { one, two, admin } = await twoProcesses();
  // Replies that end just before, at and just after a flush.
  for (const { agent } of [one, two]) {
    agent.answer(async function* (turn): AsyncIterable<AgentEvent> {
      const pause = (turnLimits.deltaFlush * (90 + (agent.turns.length % 21))) / 100;
      yield { type: "text", text: `Reply to ${turn.chatId}: ` };
      await new Promise((resolve) => setTimeout(resolve, pause));
      yield { type: "text", text: "the end." };
    });
  }
  const messages = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const channel = index % 2 === 0 ? one : two;
      const chatId = await channel.createChat();
      return { channel, chatId, key: randomUUID() };
    }),
  );
  const read = async (channel: TestChannel, chatId: string, key: string) => {
    const reading = await stream(channel, chatId, key);
    expect(replyText(reading)).toBe(`Reply to ${chatId}: the end.`);
    expect(reading.text).toBe(replyText(reading));
  };
  await Promise.all(messages.map(({ channel, chatId, key }) => read(channel, chatId, key)));
  await expect.poll(() => count(admin, "turn_deltas")).toBe(0);
  for (const channel of [one, two])
    await Promise.all(messages.map(({ chatId, key }) => read(channel, chatId, key)));
});
