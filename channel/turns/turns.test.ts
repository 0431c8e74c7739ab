/**
 * Turns are answered once, may have many watchers and outlive their requests (docs/chat-api.md, "The turn
 * stream").
 */
import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { TurnEvent } from "#lib/chat-api/turn-events.ts";
import type { AgentEvent } from "../agents/agent.ts";
import { turnLimits } from "../channel-limits.ts";
import { chats, operations } from "../db/schema.ts";
import { type ReadStream, readTurnStream } from "../testing/read-turn-stream.ts";
import { gate } from "../testing/scripted-agent.ts";
import { startedAfter, type TestChannel, testChannel, testChat } from "../testing/test-channel.ts";
import { testDatabase } from "../testing/test-database.ts";

async function stream(channel: TestChannel, chatId: string, text: string, key?: string): Promise<ReadStream> {
  return readTurnStream(await channel.stream(chatId, key, text));
}

function types(read: ReadStream): string[] {
  return read.events.map((event) => event.type);
}

function done(read: ReadStream): Extract<TurnEvent, { type: "done" }> {
  const event = read.events.at(-1);
  if (event?.type !== "done") throw new Error(`the stream ended with ${JSON.stringify(event)}`);
  return event;
}

async function listed(channel: TestChannel, chatId: string): Promise<string[]> {
  return (await channel.messagesOf(chatId)).map((message) => `${message.role}: ${message.text}`);
}

/** Expires leases, as a process finds them after a long suspension. */
async function expireLeases({ database, channelKey }: TestChannel): Promise<void> {
  await database.sql
    .update(operations)
    .set({ leaseUntil: new Date(0) })
    .where(and(eq(operations.channelKey, channelKey), eq(operations.state, "running")));
}

/** A reply that stops after its first part until the test opens the gate. */
function heldReply(channel: TestChannel, parts: readonly string[] = ["One ", "two ", "three."]) {
  const { opened, open } = gate();
  channel.agent.answer(async function* (): AsyncIterable<AgentEvent> {
    for (const [index, text] of parts.entries()) {
      if (index === 1) await opened;
      yield { type: "text", text };
    }
  });
  return open;
}

test("a surrogate pair that the agent splits arrives whole", async () => {
  const channel = await testChannel();
  channel.agent.answer(() => [
    { type: "text", text: "a\ud83d" },
    { type: "text", text: "\ude00b\u0000" },
    { type: "text", text: "c\ud83d" },
  ]);
  const chatId = await channel.createChat();
  const read = await stream(channel, chatId, "Hello");
  expect(read.text).toBe("a😀bc");
  expect(done(read).item.reply?.text).toBe("a😀bc");
  for (const event of read.events) if (event.type === "delta") expect(event.text.isWellFormed()).toBe(true);
});

test("a repeated message to the team streams the same start and done", async () => {
  const { channel, chatId } = await testChat();
  await channel.database.sql.update(chats).set({ mode: "waiting" }).where(eq(chats.id, chatId));
  const key = randomUUID();
  const first = await stream(channel, chatId, "Anybody there?", key);
  const replay = await stream(channel, chatId, "Anybody there?", key);
  expect(types(replay)).toEqual(["start", "done"]);
  expect(replay.events[0]).toMatchObject({ replyId: null });
  expect(done(replay)).toEqual(done(first));
});

test("retries an agent that failed before its first text without readers noticing", async () => {
  const { channel, chatId } = await testChat();
  channel.agent.answer(async function* (): AsyncIterable<AgentEvent> {
    if (channel.agent.turns.length === 1) throw new Error("the model is away");
    yield { type: "text", text: "Here I am." };
  });
  const read = await stream(channel, chatId, "Hello");
  expect(read.text).toBe("Here I am.");
  expect(types(read).at(-1)).toBe("done");
  expect(channel.agent.turns).toHaveLength(2);
  expect(channel.agent.turns[1]).toEqual(channel.agent.turns[0]);
  expect(await listed(channel, chatId)).toEqual(["visitor: Hello", "agent: Here I am."]);
});

test("a process that resumes after losing its turn writes nothing", async () => {
  const before = await testChannel();
  const chatId = await before.createChat();
  const wake = heldReply(before);
  const key = randomUUID();
  const zombie = before.stream(chatId, key).then(readTurnStream);
  await expect.poll(() => before.agent.turns.length).toBe(1);
  await expireLeases(before);
  const after = await testChannel({ channelKey: before.channelKey, database: await testDatabase() });
  const finish = heldReply(after, ["Echo: ", "Hello"]);
  after.channel.start();
  await expect.poll(() => after.agent.turns.length).toBe(1);
  // A process that has lost a turn asks the process that runs it now for the text.
  const gaveUp = Promise.withResolvers<void>();
  before.database.onNotify(() => gaveUp.resolve());
  wake();
  await gaveUp.promise;
  expect(await listed(before, chatId)).toEqual(["visitor: Hello"]);
  finish();
  const item = done(await stream(after, chatId, "Hello", key)).item;
  // The old process's reader has text that is not part of the reply: it gets `service_unavailable`, and the
  // repeated request gets the only result.
  expect((await zombie).events.at(-1)).toMatchObject({
    type: "error",
    error: { code: "service_unavailable" },
  });
  expect(done(await stream(before, chatId, "Hello", key)).item).toEqual(item);
  expect(await listed(before, chatId)).toEqual(["visitor: Hello", "agent: Echo: Hello"]);
  await after.channel.stop();
});

test("a process suspended beyond its lease continues its own turns", async () => {
  const { channel, chatId } = await testChat();
  const finish = heldReply(channel);
  const key = randomUUID();
  const reading = channel.stream(chatId, key).then(readTurnStream);
  await expect.poll(() => channel.agent.turns.length).toBe(1);
  await expireLeases(channel);
  // Runs recovery, which looks for orphaned turns.
  await channel.channel.runJobs();
  finish();
  expect((await reading).text).toBe("One two three.");
  expect(channel.agent.turns).toHaveLength(1);
});

test("an attempt past its deadline is abandoned, and the next one answers", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { channel, chatId } = await testChat();
  channel.agent.answer(async function* (): AsyncIterable<AgentEvent> {
    // The first attempt ignores even its signal.
    if (channel.agent.turns.length === 1) await new Promise(() => undefined);
    yield { type: "text", text: "At last." };
  });
  let text: string | undefined;
  void stream(channel, chatId, "Hello").then((read) => {
    text = read.text;
  });
  // Each check of `waitFor` advances the fake clock by its interval, 50 ms.
  await vi.waitFor(() => expect(channel.agent.turns).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(turnLimits.attemptDuration - 10_000);
  expect(channel.agent.turns).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(text).toBe("At last."), { timeout: 20_000 });
});

test("a graceful stop refuses new turns and releases running ones", async () => {
  const before = await testChannel();
  const chatId = await before.createChat();
  heldReply(before);
  const key = randomUUID();
  const reading = before.stream(chatId, key).then(readTurnStream);
  await expect.poll(() => before.agent.turns.length).toBe(1);
  const stopped = before.channel.stop(50);
  const other = await before.createChat();
  const refusal = await before.send(other, { text: "Hello" });
  expect([refusal.status, refusal.body.error.code, refusal.headers.get("retry-after")]).toEqual([
    503,
    "service_unavailable",
    "2",
  ]);
  expect((await reading).events.at(-1)).toMatchObject({
    type: "error",
    error: { code: "service_unavailable", retryAfterSeconds: 2 },
  });
  await stopped;
  const after = await startedAfter(before);
  expect((await stream(after, chatId, "Hello", key)).text).toBe("Echo: Hello");
});

test("a graceful stop waits for turns that end in time", async () => {
  const { channel, chatId } = await testChat();
  const release = heldReply(channel);
  const reading = channel.stream(chatId).then(readTurnStream);
  await expect.poll(() => channel.agent.turns.length).toBe(1);
  const stopped = channel.channel.stop(5_000);
  release();
  expect(done(await reading).item.reply?.text).toBe("One two three.");
  await stopped;
});
