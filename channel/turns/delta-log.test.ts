/** The delta log writes text for other processes, and reports when another attempt owns the turn. */
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { turnDeltas } from "../db/schema.ts";
import { claimed, finish } from "../testing/claimed-turn.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import { createDeltaLog, type DeltaLog } from "./delta-log.ts";
import { type Attempt, nextAttempt } from "./turn-store.ts";

interface Followed {
  log: DeltaLog;
  /** How often the log reported the turn as lost. */
  losses: () => number;
  written: () => Promise<string[]>;
}

function follow({ database }: TestChannel, attempt: Attempt): Followed {
  const onLost = vi.fn();
  const report = vi.fn();
  const log = createDeltaLog({ database, report }, attempt, onLost);
  log.follow();
  onTestFinished(() => {
    log.stop();
    expect(report).not.toHaveBeenCalled();
  });
  return {
    log,
    losses: () => onLost.mock.calls.length,
    async written() {
      const ofTurn = eq(turnDeltas.operationId, attempt.operationId);
      const rows = await database.sql.select().from(turnDeltas).where(ofTurn).orderBy(turnDeltas.sequence);
      return rows.map(({ fence, text }) => `${fence}: ${text}`);
    },
  };
}

test("batches text that arrives together under its attempt", async () => {
  const channel = await testChannel();
  const { attempt } = await claimed(channel);
  const { log, losses, written } = follow(channel, attempt);
  log.append("One ");
  log.append("two ");
  await expect.poll(written).toEqual(["1: One two "]);
  log.append("three.");
  await expect.poll(written).toEqual(["1: One two ", "1: three."]);
  expect(losses()).toBe(0);
});

test("a write under an old fence reports the turn as lost", async () => {
  const channel = await testChannel();
  const { attempt } = await claimed(channel);
  const { log, losses, written } = follow(channel, attempt);
  await nextAttempt(channel.database.sql, attempt, channel.database.owner);
  log.append("too late");
  await expect.poll(losses).toBe(1);
  expect(await written()).toEqual([]);
});

test("a write to an ended turn reports it as lost", async () => {
  const channel = await testChannel();
  const { attempt, chatId } = await claimed(channel);
  const { log, losses } = follow(channel, attempt);
  await finish(channel, chatId, attempt);
  log.append("too late");
  await expect.poll(losses).toBe(1);
});
