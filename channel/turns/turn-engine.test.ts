import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { turnLimits } from "../channel-limits.ts";
import { operations } from "../db/schema.ts";
import { neverKilled } from "../kill-points.ts";
import { claimed } from "../testing/claimed-turn.ts";
import { gate } from "../testing/scripted-agent.ts";
import { testChannel } from "../testing/test-channel.ts";
import { recoverTurns, TurnEngine } from "./turn-engine.ts";
import { interruptTurn, nextAttempt, readOperation } from "./turn-store.ts";

/** A claimed turn and an engine that has not begun it. */
async function claimedTurn() {
  const channel = await testChannel();
  const { database, agent } = channel;
  const { settings } = channel.channel;
  const { clock } = settings;
  const report = vi.fn();
  const engine = new TurnEngine({ database, agent, clock, settings, reach: neverKilled, report });
  const { attempt } = await claimed(channel);
  onTestFinished(() => expect.poll(() => engine.live(attempt.operationId)).toBeUndefined());
  return { channel, database, agent, clock, engine, attempt, report };
}

/** A claimed turn whose agent waits until the test lets it continue. */
async function waitingTurn() {
  const turn = await claimedTurn();
  const { opened, open } = gate();
  const signals: AbortSignal[] = [];
  turn.agent.answer(async function* (_, signal) {
    signals.push(signal);
    yield { type: "text", text: "One " };
    await opened;
  });
  onTestFinished(open);
  return { ...turn, signals };
}

test("asks the agent once even if an attempt is run twice", async () => {
  const { engine, attempt, signals } = await waitingTurn();
  engine.run(attempt);
  engine.run(attempt);
  await expect.poll(() => signals.length).toBeGreaterThan(0);
  await new Promise(setImmediate);
  expect(signals).toHaveLength(1);
});

test("stops its agent once a renewal finds that another attempt has the turn", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { database, engine, attempt, signals } = await waitingTurn();
  engine.run(attempt);
  await vi.waitFor(() => expect(signals).toHaveLength(1));
  vi.advanceTimersByTime(turnLimits.leaseRenewal);
  await nextAttempt(database.sql, attempt, database.owner);
  expect(signals[0]?.aborted).toBe(false);
  vi.advanceTimersByTime(turnLimits.leaseRenewal);
  await new Promise<void>((resolve) => signals[0]?.addEventListener("abort", () => resolve()));
});

test("reports nothing when it hears again and again that its turn has ended", async () => {
  const { database, clock, engine, attempt, signals, report } = await waitingTurn();
  engine.run(attempt);
  await expect.poll(() => signals).toHaveLength(1);
  const { chatId = "" } = (await readOperation(database.sql, attempt.operationId)) ?? {};
  await interruptTurn(database.sql, attempt, chatId, clock.now());
  while (engine.live(attempt.operationId) !== undefined) {
    void engine.abandon(attempt.operationId);
    await Promise.resolve();
  }
  expect(report).not.toHaveBeenCalled();
});

test("pauses before it asks a failing agent again, longer each time", async () => {
  const { engine, agent, attempt } = await claimedTurn();
  const asked: number[] = [];
  agent.answer(() => {
    asked.push(performance.now());
    throw new Error("the model is away");
  });
  engine.run(attempt);
  await expect.poll(() => asked.length).toBe(turnLimits.attempts);
  const [first = 0, second = 0, third = 0] = asked;
  // Node's timers may fire a fraction of a millisecond early.
  expect(second - first).toBeGreaterThan(turnLimits.retryPause - 1);
  expect(third - second).toBeGreaterThan(turnLimits.retryPause * 2 - 1);
});

test.each([
  [turnLimits.attempts - 1, 1, "succeeded"],
  [turnLimits.attempts, 0, "interrupted"],
])("an orphan after %i attempts gets %i more", async (attempts, tries, state) => {
  const { channel, database, agent, clock, engine, attempt } = await claimedTurn();
  const { channelKey } = channel;
  const orphaned = { attempts, leaseUntil: new Date(0) };
  await database.sql.update(operations).set(orphaned).where(eq(operations.id, attempt.operationId));
  expect(await recoverTurns({ database, channelKey, engine, clock, reach: neverKilled })).toBe(1);
  await expect
    .poll(() => readOperation(database.sql, attempt.operationId))
    .toMatchObject({ state, attempts: attempts + tries });
  expect(agent.turns).toHaveLength(tries);
});
