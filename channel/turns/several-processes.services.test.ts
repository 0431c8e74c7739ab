/** Two channels share one PostgreSQL and nothing else, as two channel processes do. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEvent } from "../agents/agent.ts";
import { defaultLimits } from "../channel-limits.ts";
import { createChat } from "../chats/create-chat.ts";
import { rateBuckets } from "../db/schema.ts";
import { readTurnStream } from "../testing/read-turn-stream.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import { type TestDatabase, testDatabase } from "../testing/test-database.ts";

async function twoProcesses(first?: TestDatabase): Promise<[TestChannel, TestChannel]> {
  const one = await testChannel({ database: first ?? (await testDatabase()) });
  const two = await testChannel({ channelKey: one.channelKey, database: await testDatabase() });
  onTestFinished(async () => {
    await Promise.all([one.channel.stop(0), two.channel.stop(0)]);
  });
  for (const { channel } of [one, two]) channel.start();
  return [one, two];
}

/** Sends `count` concurrent requests, alternately to both processes. */
function alternately<T>(
  [one, two]: [TestChannel, TestChannel],
  count: number,
  ask: (channel: TestChannel, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => ask(index % 2 === 0 ? one : two, index)));
}

const create = (channel: TestChannel) => channel.request("/chats", { body: {} });

test("one key sent to two processes stores one message and one reply", async () => {
  const [one, two] = await twoProcesses();
  for (let round = 0; round < 10; round++) {
    const chatId = await one.createChat();
    const key = randomUUID();
    const turnsBefore = one.agent.turns.length + two.agent.turns.length;
    const responses = await alternately([one, two], 20, (channel) =>
      channel.send(chatId, { text: "Hello" }, { key }),
    );
    expect(responses.filter((response) => response.status === 201)).toHaveLength(1);
    expect(responses.filter((response) => response.status === 200)).toHaveLength(19);
    for (const response of responses) expect(response.body.item).toEqual(responses[0]?.body.item);
    expect(one.agent.turns.length + two.agent.turns.length).toBe(turnsBefore + 1);
  }
});

test("two processes run one turn at a time in a chat", async () => {
  const [one, two] = await twoProcesses();
  const chatId = await one.createChat();
  const responses = await alternately([one, two], 20, (channel, index) =>
    channel.send(chatId, { text: `${index}` }),
  );
  for (const response of responses.filter(({ status }) => status !== 201))
    expect([response.status, response.body.error.code]).toEqual([409, "turn_in_progress"]);
  const messages = await two.messagesOf(chatId);
  for (const [index, message] of messages.entries())
    expect(message.role).toBe(index % 2 === 0 ? "visitor" : "agent");
  expect(messages).toHaveLength(2 * responses.filter(({ status }) => status === 201).length);
});

test("a turn survives its process losing the database", async () => {
  const database = await testDatabase();
  const [one, two] = await twoProcesses(database);
  const chatId = await one.createChat();
  one.agent.answer(async function* (_turn, signal): AsyncIterable<AgentEvent> {
    yield { type: "text", text: "Echo: " };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
  const key = randomUUID();
  const first = await one.stream(chatId, key);
  const reading = readTurnStream(first);
  const joined = readTurnStream(await two.stream(chatId, key));
  await database.lose();
  const there = await joined;
  expect(there.text).toBe("Echo: Hello");
  expect(there.events.at(-1)?.type).toBe("done");
  await one.channel.stop(0);
  expect((await reading).events.at(-1)?.type).toBe("error");
});

test("processes that reserve shares of the rate limit use it up exactly", async () => {
  const [one, two] = await twoProcesses();
  for (const { channel } of [one, two]) channel.settings.changeLimits({ requestsPerMinute: 3_000 });
  await one.createChat();
  await one.database.sql
    .update(rateBuckets)
    .set({ requests: 2_990 })
    .where(eq(rateBuckets.channelKey, one.channelKey));
  // Two of the three requests in the reserved share are left.
  const responses = await alternately([one, two], 40, create);
  expect(responses.filter((response) => response.status === 201)).toHaveLength(12);
  expect(responses.filter((response) => response.status === 429)).toHaveLength(28);
});

test("a create waits for no create of another process that has not committed", async () => {
  const [one, two] = await twoProcesses();
  const { channelKey, database } = one;
  const request = { channelKey, key: randomUUID(), fingerprint: "f" };
  const clock = { now: () => new Date() };
  await database.transaction(async (tx) => {
    await createChat({ database: { ...database, sql: tx }, clock }, request, {}, defaultLimits);
    // A few of them may add to the same row of the count.
    const first = await Promise.any(Array.from({ length: 12 }, () => create(two)));
    expect(first.status).toBe(201);
  });
});

test("settings changed in one process apply to the other's next request", async () => {
  const [one, two] = await twoProcesses();
  const chatId = await one.createChat();
  await one.channel.settings.change({ published: false });
  expect((await two.request(`/chats/${chatId}`)).status).toBe(403);
  await one.channel.settings.change({ published: true, clockOffsetMs: 86_400_000 });
  const response = await two.send(chatId, { text: "Hello" });
  expect(Date.parse(response.body.item.message.createdAt ?? "")).toBeGreaterThan(Date.now() + 86_000_000);
});

test("both processes forget the words of an erased chat", async () => {
  const [one, two] = await twoProcesses();
  const chatId = await one.createChat();
  for (const channel of [one, two]) await channel.send(chatId, { text: "My Zwetschge" });
  const seen = (channel: TestChannel) => channel.asTeam("/lab/requests").then((response) => response.text());
  expect(await seen(two)).toContain("Zwetschge");
  await one.asTeam(`/team/chats/${chatId}`, undefined, { method: "DELETE" });
  for (const channel of [one, two]) await expect.poll(() => seen(channel)).not.toContain("Zwetschge");
});
