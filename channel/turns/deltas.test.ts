/** Processes on one database share a turn's text and notify each other of its end. */
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEvent } from "../agents/agent.ts";
import { turnLimits } from "../channel-limits.ts";
import type { Database } from "../db/database.ts";
import { operations } from "../db/schema.ts";
import { readTurnStream } from "../testing/read-turn-stream.ts";
import { gate, heldReply } from "../testing/scripted-agent.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import { testDatabase } from "../testing/test-database.ts";
import { nextAttempt } from "./turn-store.ts";

/** Two channels on one database with different owners, like two processes. */
async function twoProcesses(): Promise<[TestChannel, TestChannel]> {
  const [first, second] = [await testDatabase(), await testDatabase()];
  const opening = ({ owner }: Database): Database => ({
    ...first,
    owner,
    shared: true,
    aliveOwners: async () => [first.owner, second.owner],
  });
  const one = await testChannel({ database: opening(first) });
  const two = await testChannel({ database: opening(second), channelKey: one.channelKey });
  return [one, two];
}

async function operationOf(channel: TestChannel, key: string): Promise<string> {
  const [row] = await channel.database.sql
    .select({ id: operations.id })
    .from(operations)
    .where(eq(operations.key, key));
  return row?.id ?? "";
}

/** Reads to the end; `onText` receives the text so far at every event. */
function read(response: Response, onText: (text: string) => void = () => undefined) {
  return readTurnStream(response, (events) => {
    onText(events.map((event) => (event.type === "delta" ? event.text : "")).join(""));
    return true;
  });
}

/** Streams a turn of one process to readers in both. The second reader joins later. Returns the operation. */
async function readInBoth(
  one: TestChannel,
  two: TestChannel,
  before: () => void = () => undefined,
): Promise<string> {
  const { second, third } = heldReply(one.agent);
  const chatId = await one.createChat();
  const key = randomUUID();
  const here = read(await one.stream(chatId, key), (text) => {
    if (text === "One ") second();
  });
  const operationId = await operationOf(one, key);
  before();
  const there = read(await two.stream(chatId, key), (text) => {
    if (text === "One two ") third();
  });
  expect((await there).text).toBe("One two three.");
  expect((await here).text).toBe("One two three.");
  return operationId;
}

test("notifies other processes of a turn only once one of them follows it", async () => {
  const [one, two] = await twoProcesses();
  const told: string[] = [];
  onTestFinished(one.database.onNotify((name) => told.push(name)));
  await one.send(await one.createChat(), { text: "Hello" });
  const operationId = await readInBoth(one, two, () => expect(told).toEqual([]));
  expect(told[0]).toContain(operationId);
  expect(two.agent.turns).toHaveLength(0);
});

test("repeats a failed write of deltas before the next write", async () => {
  const [one, two] = await twoProcesses();
  const name = `fail_${randomUUID().replaceAll("-", "")}`;
  const { sql: db } = one.database;
  // Sequences are not rolled back, so this one counts attempted writes.
  await db.execute(sql.raw(`create sequence ${name}`));
  await db.execute(
    sql.raw(`create function ${name}() returns trigger language plpgsql as $$ begin
      if new.streamed_text like 'One%' and nextval('${name}') <= 2 then raise exception 'away' using errcode = '57P01'; end if;
      return new; end $$`),
  );
  await db.execute(
    sql.raw(
      `create trigger ${name} before update of streamed_text on operations for each row execute function ${name}()`,
    ),
  );
  onTestFinished(async () => {
    await db.execute(sql.raw(`drop trigger ${name} on operations`));
  });
  await readInBoth(one, two);
});

test("stops its agent as soon as a write meets a newer fence", async () => {
  const [one, two] = await twoProcesses();
  const second = gate();
  let signal: AbortSignal | undefined;
  one.agent.answer(async function* (_turn, aborted): AsyncIterable<AgentEvent> {
    signal = aborted;
    yield { type: "text", text: "One " };
    await second.opened;
    yield { type: "text", text: "two " };
    await new Promise((resolve) => aborted.addEventListener("abort", resolve));
  });
  const chatId = await one.createChat();
  const key = randomUUID();
  for (const channel of [one, two])
    await readTurnStream(await channel.stream(chatId, key), (events) => events.length < 2);
  const operationId = await operationOf(one, key);
  const next = await nextAttempt(one.database.sql, { operationId, fence: 1 }, one.database.owner);
  expect(next?.fence).toBe(2);
  expect(signal?.aborted).toBe(false);
  second.open();
  // Earlier than the next lease renewal would reveal it.
  await expect.poll(() => signal?.aborted, { timeout: turnLimits.leaseRenewal / 2 }).toBe(true);
  await one.channel.stop(0);
});

test("a team action in one process stops the agent in another without delay", async () => {
  const [one, two] = await twoProcesses();
  let signal: AbortSignal | undefined;
  // Yields no text: writing it would also reveal that the turn has ended.
  one.agent.answer(async function* (_turn, aborted): AsyncIterable<AgentEvent> {
    signal = aborted;
    await new Promise((resolve) => aborted.addEventListener("abort", resolve));
  });
  const chatId = await one.createChat();
  const sending = one.send(chatId, { text: "Hello" });
  await expect.poll(() => signal).toBeDefined();
  expect((await two.asTeam(`/team/chats/${chatId}/resolve`, {})).status).toBe(200);
  // Earlier than the next lease renewal would reveal it.
  await expect.poll(() => signal?.aborted, { timeout: turnLimits.leaseRenewal / 2 }).toBe(true);
  expect((await sending).body.error.code).toBe("operation_superseded");
});
