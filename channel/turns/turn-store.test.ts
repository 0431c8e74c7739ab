/** The state transitions of turns: each includes its precondition and writes nothing if it does not hold. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { messages, operations } from "../db/schema.ts";
import { nextMessage } from "../messages/message-store.ts";
import { chatOf, claim, claimed, finish } from "../testing/claimed-turn.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import {
  type Attempt,
  findOrphans,
  finishTurn,
  interruptTurn,
  loadTurn,
  nextAttempt,
  releaseLease,
  renewLease,
  storeText,
} from "./turn-store.ts";

const now = new Date();

async function rowOf({ database }: TestChannel, { operationId }: Attempt) {
  const [row] = await database.sql.select().from(operations).where(eq(operations.id, operationId));
  return row;
}

async function textsOf({ database }: TestChannel, chatId: string): Promise<string[]> {
  const rows = await database.sql
    .select()
    .from(messages)
    .where(eq(messages.chatId, chatId))
    .orderBy(messages.sequence);
  return rows.map((row) => `${row.role}: ${row.text}`);
}

/** Expects that an attempt that has lost the turn can write nothing. */
async function expectPowerless(channel: TestChannel, chatId: string, attempt: Attempt): Promise<void> {
  const { sql, owner } = channel.database;
  const rows = async () => [
    await rowOf(channel, attempt),
    await chatOf(channel, chatId),
    await textsOf(channel, chatId),
  ];
  const before = await rows();
  expect(await finish(channel, chatId, attempt)).toBe(false);
  expect(await storeText(sql, attempt, "late")).toBe(false);
  expect(await renewLease(sql, attempt)).toBe(false);
  expect(await nextAttempt(sql, attempt, owner)).toBeUndefined();
  expect(await interruptTurn(sql, attempt, chatId, now)).toBe(false);
  expect(await loadTurn(sql, attempt)).toBeUndefined();
  await releaseLease(sql, attempt);
  expect(await rows()).toEqual(before);
}

test("an attempt that another has replaced can write nothing", async () => {
  const channel = await testChannel();
  const { chatId, attempt } = await claimed(channel);
  const next = await nextAttempt(channel.database.sql, attempt, channel.database.owner);
  expect(next).toEqual({ operationId: attempt.operationId, fence: 2 });
  await expectPowerless(channel, chatId, attempt);
});

test("the running attempt can write, renew and finish, once", async () => {
  const channel = await testChannel();
  const { sql } = channel.database;
  const { chatId, attempt } = await claimed(channel);
  expect(await loadTurn(sql, attempt)).toMatchObject({ chat: { id: chatId }, message: { text: "Hello" } });
  expect(await storeText(sql, attempt, "Re")).toBe(true);
  expect(await renewLease(sql, attempt)).toBe(true);
  expect(await finish(channel, chatId, attempt)).toBe(true);
  expect(await textsOf(channel, chatId)).toEqual(["visitor: Hello", "agent: Reply"]);
  expect(await chatOf(channel, chatId)).toMatchObject({ activeOperationId: null, lastSequence: 2 });
  await expectPowerless(channel, chatId, attempt);
});

test("a reply is not stored in a chat that has changed since it was read", async () => {
  const channel = await testChannel();
  const { chatId, attempt } = await claimed(channel);
  const chat = { ...(await chatOf(channel, chatId)), updatedAt: new Date(0) };
  const reply = nextMessage(chat, { role: "agent", text: "Reply" }, now);
  const stale = { ...attempt, chat, reply, result: null, now, offer: undefined };
  expect(await finishTurn(channel.database.sql, stale)).toBe(false);
  expect(await rowOf(channel, attempt)).toMatchObject({ state: "running" });
  expect(await textsOf(channel, chatId)).toEqual(["visitor: Hello"]);
});

test("a claim respects the limit of concurrent turns", async () => {
  const channel = await testChannel();
  const { chatId, attempt } = await claimed(channel);
  expect(await claim(channel, { concurrentTurns: 1 })).toBeUndefined();
  expect(await claim(channel, { concurrentTurns: 2 })).toBeDefined();
  expect(await finish(channel, chatId, attempt)).toBe(true);
  expect(await claim(channel, { concurrentTurns: 2 })).toBeDefined();
});

test("a claim fails while a turn runs, or if the key is taken", async () => {
  const channel = await testChannel();
  const { chatId, key, attempt } = await claimed(channel);
  expect(await claim(channel, { chatId })).toBeUndefined();
  expect(await finish(channel, chatId, attempt)).toBe(true);
  expect(await claim(channel, { chatId, key })).toBeUndefined();
  expect(await claim(channel, { chatId })).toBeDefined();
  expect(await textsOf(channel, chatId)).toEqual(["visitor: Hello", "agent: Reply", "visitor: Hello"]);
});

test("a turn is orphaned if it was released, its lease expired or its owner is gone", async () => {
  const channel = await testChannel();
  const { database, channelKey } = channel;
  const { attempt } = await claimed(channel);
  const orphans = async (...alive: number[]) =>
    (await findOrphans(database, channelKey, alive, 10)).map(({ id }) => id);
  expect(await orphans(database.owner, 7)).toEqual([]);
  expect(await orphans(7)).toEqual([attempt.operationId]);
  await database.sql.update(operations).set({ leaseUntil: new Date(0) });
  expect(await orphans(database.owner)).toEqual([attempt.operationId]);
  await renewLease(database.sql, attempt);
  expect(await orphans(database.owner)).toEqual([]);
  await releaseLease(database.sql, attempt);
  expect(await orphans(database.owner)).toEqual([attempt.operationId]);
});
