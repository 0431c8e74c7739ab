/** Notices to the team, and the texts that tell customers of them. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { eq, inArray } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { serve } from "../../testing/unit/serve.ts";
import { addTime, type Clock } from "../core.ts";
import { chats, outbox } from "../db/schema.ts";
import { neverKilled } from "../kill-points.ts";
import { testChat } from "../testing/test-channel.ts";
import { type Notice, noticeText } from "./notices.ts";
import { deliverOutbox, type OutboxDeps, postNotice, type TeamNotice } from "./outbox.ts";

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

const notice = {
  id: "op_0123456789",
  chatId: "chat_0123456789",
  kind: "handoff_requested",
  payload: { chatId: "chat_0123456789", email: "ana@example.com" },
  createdAt: new Date("2026-11-24T10:00:00.000Z"),
};
const secret = `whsec_${Buffer.from("a secret of the tests, 32 bytes.").toString("base64")}`;

async function receiver(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await serve(createServer(answer))}/notices`;
}

test("rejects if the pipe is closed", async () => {
  const module = new URL("./outbox.ts", import.meta.url).href;
  const script = `
    process.stdin.once("end", async () => {
      const { printNotice } = await import(${JSON.stringify(module)});
      await printNotice({ id: "op", kind: "k", chatId: "c", payload: {}, createdAt: new Date() })
        .then(() => console.error("told"), (error) => console.error(error.code));
    }).resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" });
  child.stdout.destroy();
  await once(child.stdout, "close");
  child.stdin.end();
  expect(await text(child.stderr)).toBe("EPIPE\n");
});

test("posts a signed notice with a stable ID", async () => {
  let received: unknown;
  const url = await receiver(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
    );
    received = new Webhook(secret).verify(await text(request), headers);
    response.writeHead(headers["webhook-id"] === notice.id ? 204 : 400).end();
  });
  await postNotice({ url, secret })(notice);
  expect(received).toEqual({
    type: "handoff_requested",
    timestamp: "2026-11-24T10:00:00.000Z",
    data: notice.payload,
  });
});

test.each([302, 400, 500])("rejects if the receiver answers %i", async (status) => {
  const url = await receiver((_, response) => response.writeHead(status, { location: "/elsewhere" }).end());
  await expect(postNotice({ url, secret })(notice)).rejects.toThrow(`${status}`);
});

const notices = [
  "waiting",
  "joined",
  "left",
  "returned",
  "resolved",
  "failed",
  "detailsReceived",
] satisfies Notice[];

test("every notice exists in every language", () => {
  const texts = ["en", "de", "fr", "ar", "ja"].flatMap((locale) =>
    notices.map((notice) => noticeText(notice, locale)),
  );
  expect(new Set(texts).size).toBe(texts.length);
});

test("a notice about a teammate names them", () => {
  for (const locale of ["en", "de", "fr", "ar", "ja"])
    expect(noticeText("joined", locale, "ليلى")).toContain("ليلى");
});

test("a notice that begins with an Arabic name has the direction of its language", () => {
  for (const locale of ["en", "de", "fr", "ja"])
    expect(noticeText("left", locale, "🔧 ليلى")).toMatch(/^\u200E/);
  expect(noticeText("joined", "ar", "ليلى")).toMatch(/^انضم/);
  expect(noticeText("joined", "en", "Zoë")).toMatch(/^Zoë/);
});

test("regions use their language; unknown languages use English", () => {
  expect(noticeText("resolved", "DE-ch")).toBe(noticeText("resolved", "de"));
  for (const locale of ["tlh", "constructor", ""])
    expect(noticeText("resolved", locale)).toBe(noticeText("resolved", "en"));
});
