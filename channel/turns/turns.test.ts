/**
 * Turns are answered once, may have many watchers and outlive their requests (docs/chat-api.md, "The turn
 * stream"): cases that `e2e/contract/send-message.spec.ts` and `streams.spec.ts` do not cover.
 */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { AgentEvent } from "../agents/agent.ts";
import { turnLimits } from "../channel-limits.ts";
import { loadCollection } from "../collections/collection-store.ts";
import { operations } from "../db/schema.ts";
import { claimed } from "../testing/claimed-turn.ts";
import { type ReadStream, readTurnStream } from "../testing/read-turn-stream.ts";
import { heldReply } from "../testing/scripted-agent.ts";
import { startedAfter, type TestChannel, testChannel, testChat } from "../testing/test-channel.ts";
import { ReplyDraft } from "./agent-reply.ts";
import { finishReply } from "./finish-reply.ts";
import { loadTurn, nextAttempt } from "./turn-store.ts";

async function stream(channel: TestChannel, chatId: string): Promise<ReadStream> {
  return readTurnStream(await channel.stream(chatId));
}

test("a surrogate pair that the agent splits arrives whole", async () => {
  const channel = await testChannel();
  channel.agent.answer(() => [
    { type: "text", text: "a\ud83d" },
    { type: "text", text: "\ude00b\u0000" },
    { type: "text", text: "c\ud83d" },
  ]);
  const chatId = await channel.createChat();
  const read = await stream(channel, chatId);
  expect(read.text).toBe("a😀bc");
  expect(read.events.at(-1)).toMatchObject({ type: "done", item: { reply: { text: "a😀bc" } } });
  for (const event of read.events) if (event.type === "delta") expect(event.text.isWellFormed()).toBe(true);
});

test("a process suspended beyond its lease continues its own turns", async () => {
  const { channel, chatId } = await testChat();
  const { second, third } = heldReply(channel.agent);
  const reading = stream(channel, chatId);
  await expect.poll(() => channel.agent.turns.length).toBe(1);
  await channel.database.sql
    .update(operations)
    .set({ leaseUntil: new Date(0) })
    .where(eq(operations.chatId, chatId));
  // Runs recovery, which looks for orphaned turns.
  await channel.channel.runJobs();
  second();
  third();
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
  void stream(channel, chatId).then((read) => {
    text = read.text;
  });
  // Each check of `waitFor` advances the fake clock by its interval, 50 ms.
  await vi.waitFor(() => expect(channel.agent.turns).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(turnLimits.attemptDuration - 10_000);
  expect(channel.agent.turns).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(text).toBe("At last."), { timeout: 20_000 });
});

test("drops choices that are blank or longer than a message", async () => {
  const { send, createChat, agent } = await testChannel();
  agent.answer(() => [{ type: "choices", choices: ["Yes", "", " ", "No", "a".repeat(4_001)] }]);
  const { reply } = (await send(await createChat(), { text: "Hello" })).body.item;
  expect(reply?.choices).toEqual(["Yes", "No"]);
});

test("the agent receives history, locale and user ID", async () => {
  const { send, createChat, agent } = await testChannel();
  const chatId = await createChat({ userId: "cust.ana-brandt", locale: "de-AT" });
  await send(chatId, { text: "One" });
  await send(chatId, { text: "Two" });
  const [first, second] = agent.turns;
  expect(first).toMatchObject({ chatId, userId: "cust.ana-brandt", locale: "de-AT", history: [] });
  expect(second?.history.map((message) => message.text)).toEqual(["One", "Echo: One"]);
  expect(second?.trigger).toMatchObject({ type: "message", message: { text: "Two" } });
});

test("claims a turn in a chat that another process has changed since this one's last", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const other = await startedAfter(channel);
  for (const one of [channel, other, channel, channel, other])
    expect((await one.send(chatId, { text: "Hello" })).status).toBe(201);
  expect((await channel.messagesOf(chatId)).map(({ role }) => role)).toEqual(
    Array.from({ length: 5 }, () => ["visitor", "agent"]).flat(),
  );
});

test.each([
  ["operation_capacity_reached", { operationsPerChat: 1 }],
  ["chat_limit_reached", { chatsPerChannel: 0 }],
  ["service_unavailable", { concurrentTurns: 0 }],
])("refuses with %s in a chat that it has just answered", async (code, limits) => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  await channel.send(chatId, { text: "Hello" }, { key });
  channel.channel.settings.changeLimits(limits);
  expect((await channel.send(chatId, { text: "Again" })).body.error.code).toBe(code);
  expect((await channel.send(chatId, { text: "Hello" }, { key })).status).toBe(200);
  expect((await channel.send(chatId, { text: "Other" }, { key })).body.error.code).toBe(
    "idempotency_conflict",
  );
});

test("opens no form for a reply whose attempt has lost the turn", async () => {
  const { database, ...channel } = await testChannel();
  const { chatId, attempt } = await claimed({ database, ...channel });
  const loaded = await loadTurn(database.sql, attempt);
  if (loaded === undefined) throw new Error("the turn is not running");
  await nextAttempt(database.sql, attempt, database.owner);
  const draft = new ReplyDraft();
  draft.take({ type: "text", text: "Please fill in this form." });
  draft.take({
    type: "request_form",
    form: { collectionId: "returns", purpose: "To return it.", fields: [], canSkip: true, canCancel: true },
  });
  const before = await loadCollection(database.sql, chatId);
  const deps = { database, settings: { current: () => ({ hours: null }) }, clock: { now: () => new Date() } };
  expect(await finishReply(deps, loaded, attempt, draft)).toBeUndefined();
  expect(await loadCollection(database.sql, chatId)).toEqual(before);
});
