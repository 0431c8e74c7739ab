import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { addTime, type Clock } from "../clock.ts";
import { chats, outbox } from "../db/schema.ts";
import { neverKilled } from "../kill-points.ts";
import { testChat } from "../testing/test-channel.ts";
import { deliverOutbox, type OutboxDeps, type TeamNotice } from "./outbox.ts";

async function withNotice() {
  const { channel, chatId } = await testChat();
  const id = `op_${chatId}`;
  const createdAt = channel.channel.settings.clock.now();
  await channel.database.sql
    .insert(outbox)
    .values({ id, chatId, kind: "handoff_requested", payload: { chatId }, createdAt });
  const told: TeamNotice[] = [];
  const faults: unknown[] = [];
  const deps = {
    database: channel.database,
    channelKey: channel.channelKey,
    clock: secondsAfter(0),
    notifyTeam: async (notice: TeamNotice) => {
      told.push(notice);
    },
    reach: neverKilled,
    report: (_: string, error: unknown) => faults.push(error),
  };
  function secondsAfter(seconds: number): Clock {
    return { now: () => addTime(createdAt, seconds * 1_000) };
  }
  return { deps, told, faults, id, chatId, createdAt, secondsAfter };
}

/** Ends every claim, as its time does. */
async function endLeases({ database, channelKey }: OutboxDeps): Promise<void> {
  await database.sql
    .update(outbox)
    .set({ leaseUntil: new Date(0) })
    .where(
      inArray(
        outbox.chatId,
        database.sql.select({ id: chats.id }).from(chats).where(eq(chats.channelKey, channelKey)),
      ),
    );
}

async function away(): Promise<void> {
  throw new Error("the inbox is away");
}

test("delivers a notice once", async () => {
  const { deps, told, id, chatId, createdAt } = await withNotice();
  expect(await deliverOutbox(deps)).toBe(1);
  expect(await deliverOutbox(deps)).toBe(0);
  expect(told).toEqual([{ id, chatId, kind: "handoff_requested", payload: { chatId }, createdAt }]);
  // The payload holds the customer's email address.
  expect(await deps.database.sql.$count(outbox, eq(outbox.chatId, chatId))).toBe(0);
});

test("leaves another channel's notices to that channel", async () => {
  const { deps, told } = await withNotice();
  expect(await deliverOutbox({ ...deps, channelKey: "dep_another_channel" })).toBe(0);
  expect(told).toEqual([]);
});

test("doubles the pause after each failure, up to 4,096 seconds", async () => {
  const { deps, faults, secondsAfter } = await withNotice();
  await deliverOutbox({ ...deps, notifyTeam: away });
  const dueAfter = [1, 3, 7, 15, 31, 63, 127, 255, 511, 1_023, 2_047, 4_095, 8_191, 12_287];
  for (const [attempts, seconds] of dueAfter.entries()) {
    await deliverOutbox({ ...deps, notifyTeam: away, clock: secondsAfter(seconds - 0.001) });
    expect(faults, `before ${seconds} s`).toHaveLength(attempts + 1);
    await deliverOutbox({ ...deps, notifyTeam: away, clock: secondsAfter(seconds) });
    expect(faults, `at ${seconds} s`).toHaveLength(attempts + 2);
  }
});

test("delivers a notice that was written while the clock was ahead", async () => {
  const { deps, told, id, secondsAfter } = await withNotice();
  const anHourBack = secondsAfter(-3_600);
  expect(await deliverOutbox({ ...deps, clock: anHourBack, notifyTeam: away })).toBe(0);
  expect(await deliverOutbox({ ...deps, clock: anHourBack })).toBe(1);
  expect(told.map((notice) => notice.id)).toEqual([id]);
});

test("a notice that one process delivers is not delivered by another, however slow the team is", async () => {
  const { deps, told, id, secondsAfter } = await withNotice();
  const answered = Promise.withResolvers<void>();
  const slow = deliverOutbox({
    ...deps,
    notifyTeam: async (notice) => {
      told.push(notice);
      await answered.promise;
    },
  });
  await expect.poll(() => told).toHaveLength(1);
  expect(await deliverOutbox({ ...deps, clock: secondsAfter(5) })).toBe(0);
  answered.resolve();
  expect(await slow).toBe(1);
  expect(await deliverOutbox({ ...deps, clock: secondsAfter(60) })).toBe(0);
  expect(told.map((notice) => notice.id)).toEqual([id]);
});

test("a slow delivery delays no other", async () => {
  const { deps, told, id, chatId, createdAt } = await withNotice();
  const second = { id: `${id}_2`, chatId, kind: "handoff_requested", payload: {}, createdAt };
  await deps.database.sql.insert(outbox).values(second);
  const answered = Promise.withResolvers<void>();
  const delivering = deliverOutbox({
    ...deps,
    notifyTeam: async (notice) => {
      if (notice.id === id) await answered.promise;
      told.push(notice);
    },
  });
  await expect.poll(() => told.map((notice) => notice.id)).toEqual([second.id]);
  answered.resolve();
  expect(await delivering).toBe(2);
});

test("redelivers under the same ID after a crash, when the claim has ended", async () => {
  const { deps, told, id, secondsAfter } = await withNotice();
  const crash = () => {
    throw new Error("killed");
  };
  await expect(deliverOutbox({ ...deps, reach: crash })).rejects.toThrow("killed");
  expect(await deliverOutbox({ ...deps, clock: secondsAfter(60) })).toBe(0);
  await endLeases(deps);
  expect(await deliverOutbox({ ...deps, clock: secondsAfter(1) })).toBe(1);
  expect(told.map((notice) => notice.id)).toEqual([id, id]);
});
