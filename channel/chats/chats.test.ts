/** Behaviour of chats that `e2e/contract` does not cover: keys over time, deletion, plans and races. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Chat } from "#lib/chat-api/chat.ts";
import { defaultLimits } from "../channel-limits.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import { deleteChat, findChat, readChatCount } from "./chat-store.ts";
import { createChat } from "./create-chat.ts";

type Created = { item: Chat } & { error: { code: string; field?: string; retryAfterSeconds?: number } };

const day = 24 * 60 * 60 * 1000;

function create(channel: TestChannel, body: unknown = {}, key: string = randomUUID()) {
  return channel.call<Created>("/chats", { body, key });
}

async function refusal(channel: TestChannel, body: unknown, key?: string) {
  const { status, body: answer } = await create(channel, body, key);
  return `${status} ${answer.error.code} ${answer.error.field ?? ""}`.trim();
}

const countOf = ({ database, channelKey }: TestChannel) => readChatCount(database.sql, channelKey);

test("returns a new chat as it is read later", async () => {
  const { database, channelKey } = await testChannel();
  const deps = { database, clock: { now: () => new Date("2026-06-02T09:00:00.000Z") } };
  const request = { channelKey, key: randomUUID(), fingerprint: "f" };
  const { chat } = await createChat(deps, request, { locale: "de" }, defaultLimits);
  expect(await findChat(database.sql, { channelKey, chatId: chat.id })).toEqual(chat);
});

test("another channel may use the same idempotency key", async () => {
  const [one, two] = [await testChannel(), await testChannel()];
  const key = randomUUID();
  const first = await create(one, {}, key);
  const second = await create(two, {}, key);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.body.item.id).not.toBe(second.body.item.id);
});

test("a create key expires after 30 days and is new after 395; a message's key replays", async () => {
  const channel = await testChannel();
  const { settings } = channel.channel;
  const key = randomUUID();
  const chatId = (await create(channel, {}, key)).body.item.id;
  const message = { key: randomUUID() };
  const { item } = (await channel.send(chatId, { text: "Hello" }, message)).body;
  for (const [days, expected] of [
    [394, "409 idempotency_key_expired"],
    [396, "201"],
  ] as const) {
    await settings.change({ clockOffsetMs: days * day });
    for (const isSwept of [false, true]) {
      if (isSwept) await channel.channel.runJobs();
      if (expected === "201" && !isSwept) continue;
      const { status, body } = await create(channel, {}, key);
      expect(`${status} ${body.error?.code ?? ""}`.trim(), `day ${days}, swept: ${isSwept}`).toBe(expected);
      if (status === 409) expect(await refusal(channel, { locale: "de" }, key)).toBe(expected);
      const again = await channel.send(chatId, { text: "Hello" }, message);
      expect([again.status, again.body.item.message.id]).toEqual([200, item.message.id]);
    }
  }
  expect((await channel.getChat(chatId)).id).toBe(chatId);
  expect(await countOf(channel)).toBe(2);
});

test("a deleted chat's key answers idempotency_resource_gone until it expires", async () => {
  const channel = await testChannel();
  const key = randomUUID();
  const chatId = (await create(channel, {}, key)).body.item.id;
  const sendKey = randomUUID();
  await channel.send(chatId, { text: "Hello" }, { key: sendKey });
  await deleteChat(channel.database, { channelKey: channel.channelKey, chatId });
  expect(await refusal(channel, { locale: "de" }, key)).toBe("410 idempotency_resource_gone");
  expect((await channel.send(chatId, { text: "Hello" }, { key: sendKey })).body.error.code).toBe(
    "chat_not_found",
  );
  expect(await countOf(channel)).toBe(0);
  await channel.channel.settings.change({ clockOffsetMs: 31 * day });
  expect((await create(channel, {}, key)).status).toBe(201);
});

test("parallel creates cannot exceed the plan's number of chats", async () => {
  const channel = await testChannel();
  channel.channel.settings.changeLimits({ chatsPerChannel: 3 });
  const responses = await Promise.all(Array.from({ length: 10 }, () => create(channel)));
  expect(responses.filter((response) => response.status === 201)).toHaveLength(3);
  for (const response of responses.filter(({ status }) => status !== 201)) {
    expect([response.status, response.body.error.code]).toEqual([429, "chat_limit_reached"]);
    expect(response.headers.get("retry-after")).toBe(String(response.body.error.retryAfterSeconds));
  }
});

test("after a plan shrinks, only its oldest chats accept messages", async () => {
  const channel = await testChannel();
  const key = randomUUID();
  const oldest = await channel.createChat();
  await channel.channel.settings.change({ clockOffsetMs: 1_000 });
  const newest = await channel.createChat();
  const first = await channel.send(newest, { text: "Hello" }, { key });
  channel.channel.settings.changeLimits({ chatsPerChannel: 1 });
  const refusal = await channel.send(newest, { text: "More" });
  expect([refusal.status, refusal.body.error.code]).toEqual([429, "chat_limit_reached"]);
  expect(refusal.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect((await channel.send(oldest, { text: "Hello" })).status).toBe(201);
  const replay = await channel.send(newest, { text: "Hello" }, { key });
  expect([replay.status, replay.body]).toEqual([200, first.body]);
});
