import { expect, test } from "vitest";
import { outbox } from "../db/schema.ts";
import { neverKilled } from "../kill-points.ts";
import { testChannel } from "../testing/test-channel.ts";
import { deliverOutbox, type TeamNotice } from "./outbox.ts";

async function withNotice() {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const id = `op_${chatId}`;
  await channel.database.sql.insert(outbox).values({
    id,
    chatId,
    kind: "handoff_requested",
    payload: { chatId },
    createdAt: channel.channel.settings.clock.now(),
  });
  const told: TeamNotice[] = [];
  const faults: unknown[] = [];
  const deps = {
    database: channel.database,
    channelKey: channel.channelKey,
    clock: channel.channel.settings.clock,
    notifyTeam: async (notice: TeamNotice) => {
      told.push(notice);
    },
    reach: neverKilled,
    report: (_: string, error: unknown) => faults.push(error),
  };
  return { deps, told, faults, id, chatId };
}

test("a notice is delivered once", async () => {
  const { deps, told, id, chatId } = await withNotice();
  expect(await deliverOutbox(deps)).toBe(1);
  expect(await deliverOutbox(deps)).toBe(0);
  expect(told).toEqual([{ id, chatId, kind: "handoff_requested", payload: { chatId } }]);
});

test("a notice that the team did not get is delivered again, under the same ID", async () => {
  const { deps, told, faults, id } = await withNotice();
  const away = async () => {
    throw new Error("the inbox is away");
  };
  expect(await deliverOutbox({ ...deps, notifyTeam: away })).toBe(0);
  expect(faults).toHaveLength(1);
  expect(await deliverOutbox(deps)).toBe(1);
  expect(told.map((notice) => notice.id)).toEqual([id]);
});

test("#118 K10: a crash between the delivery and its record delivers again, under the same ID", async () => {
  const { deps, told, id } = await withNotice();
  const crash = () => {
    throw new Error("killed");
  };
  await deliverOutbox({ ...deps, reach: crash });
  await deliverOutbox(deps);
  expect(told.map((notice) => notice.id)).toEqual([id, id]);
});
