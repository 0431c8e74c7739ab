/**
 * Turns are answered once, may have many watchers and outlive their requests (docs/chat-api.md, "The turn
 * stream").
 */
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { AgentEvent } from "../agents/agent.ts";
import { turnLimits } from "../channel-limits.ts";
import { operations } from "../db/schema.ts";
import { type ReadStream, readTurnStream } from "../testing/read-turn-stream.ts";
import { heldReply } from "../testing/scripted-agent.ts";
import { type TestChannel, testChannel, testChat } from "../testing/test-channel.ts";

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
