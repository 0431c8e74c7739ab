import { expect, onTestFinished, test, vi } from "vitest";
import { turnLimits } from "../base/channel-limits.ts";
import { neverKilled } from "../base/kill-points.ts";
import { claimed } from "../testing/claimed-turn.ts";
import { gate } from "../testing/scripted-agent.ts";
import { testChannel } from "../testing/test-channel.ts";
import { TurnEngine } from "./turn-engine.ts";
import { nextAttempt } from "./turn-store.ts";

/** A claimed turn whose agent waits until it is let go on. */
async function waitingTurn() {
  const channel = await testChannel();
  const { opened, open } = gate();
  const signals: AbortSignal[] = [];
  channel.agent.answer(async function* (_, signal) {
    signals.push(signal);
    yield { type: "text", text: "One " };
    await opened;
  });
  const { database, agent } = channel;
  const { settings } = channel.channel;
  const { clock } = settings;
  const engine = new TurnEngine({
    database,
    agent,
    clock,
    settings,
    reach: neverKilled,
    report: () => undefined,
  });
  const { attempt } = await claimed(channel);
  onTestFinished(() => expect.poll(() => engine.live(attempt.operationId)).toBeUndefined());
  onTestFinished(open);
  return { database, engine, attempt, signals };
}

test("asks the agent once, however often an attempt is run", async () => {
  const { engine, attempt, signals } = await waitingTurn();
  engine.run(attempt);
  engine.run(attempt);
  await expect.poll(() => signals.length).toBeGreaterThan(0);
  await new Promise(setImmediate);
  expect(signals).toHaveLength(1);
});

test("stops its agent once a renewal finds that another attempt has the turn", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { database, engine, attempt, signals } = await waitingTurn();
  engine.run(attempt);
  await vi.waitFor(() => expect(signals).toHaveLength(1));
  vi.advanceTimersByTime(turnLimits.leaseRenewal);
  await nextAttempt(database.sql, attempt, database.owner);
  expect(signals[0]?.aborted).toBe(false);
  vi.advanceTimersByTime(turnLimits.leaseRenewal);
  await new Promise<void>((resolve) => signals[0]?.addEventListener("abort", () => resolve()));
});
