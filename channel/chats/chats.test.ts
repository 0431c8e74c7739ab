/** Behaviour of chats that `e2e/contract` does not cover: keys over time, plans, races and versions. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import { defaultLimits } from "../channel-limits.ts";
import { nextMessage } from "../messages/message-store.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import { type ChatRow, findChat, nextVersion, readChatCount } from "./chat-store.ts";
import { createChat } from "./create-chat.ts";

type Created = { item: Chat } & ErrorBody;

const day = 24 * 60 * 60 * 1000;

function create(channel: TestChannel, body: unknown = {}, key: string = randomUUID()) {
  return channel.call<Created>("/chats", { body, key });
}

async function refusal(channel: TestChannel, body: unknown, key?: string) {
  const { status, body: answer } = await create(channel, body, key);
  return `${status} ${answer.error.code}`;
}

const countOf = ({ database, channelKey }: TestChannel) => readChatCount(database.sql, channelKey);

test("returns a new chat as it is read later", async () => {
  const { database, channelKey } = await testChannel();
  const deps = { database, clock: { now: () => new Date("2026-06-02T09:00:00.000Z") } };
  const request = { channelKey, key: randomUUID(), fingerprint: "f" };
  const { chat } = await createChat(deps, request, { locale: "de" }, defaultLimits);
  expect(await findChat(database.sql, { channelKey, chatId: chat.id })).toEqual(chat);
});

test("an expired create key is refused for 395 days, swept or not, and is new then", async () => {
  const channel = await testChannel();
  const key = randomUUID();
  const chatId = (await create(channel, {}, key)).body.item.id;
  await channel.advance(394 * day);
  for (const body of [{}, { locale: "de" }]) {
    expect(await refusal(channel, body, key)).toBe("409 idempotency_key_expired");
    await channel.channel.runJobs();
  }
  await channel.advance(2 * day);
  await channel.channel.runJobs();
  expect((await create(channel, {}, key)).status).toBe(201);
  expect((await channel.getChat(chatId)).id).toBe(chatId);
  expect(await countOf(channel)).toBe(2);
});

test("parallel creates cannot exceed the plan's number of chats", async () => {
  const channel = await testChannel();
  channel.channel.settings.changeLimits({ chatsPerChannel: 3 });
  const responses = await Promise.all(Array.from({ length: 10 }, () => create(channel)));
  expect(responses.filter((response) => response.status === 201)).toHaveLength(3);
  for (const { status, body } of responses.filter((response) => response.status !== 201))
    expect([status, body.error.code]).toEqual([429, "chat_limit_reached"]);
});

test("after a plan shrinks, only its oldest chats accept messages", async () => {
  const channel = await testChannel();
  const key = randomUUID();
  const oldest = await channel.createChat();
  await channel.advance(1_000);
  const newest = await channel.createChat();
  const first = await channel.send(newest, { text: "Hello" }, { key });
  channel.channel.settings.changeLimits({ chatsPerChannel: 1 });
  const refusal = await channel.send(newest, { text: "More" });
  expect([refusal.status, refusal.body.error.code]).toEqual([429, "chat_limit_reached"]);
  expect((await channel.send(oldest, { text: "Hello" })).status).toBe(201);
  const replay = await channel.send(newest, { text: "Hello" }, { key });
  expect([replay.status, replay.body]).toEqual([200, first.body]);
});

const at = (milliseconds: number) => new Date(Date.parse("2026-06-02T09:00:00.000Z") + milliseconds);

test("each version of a chat is later than the previous one, whatever the clock says", () => {
  const row = { updatedAt: at(0) };
  expect(nextVersion(row, at(5))).toEqual(at(5));
  expect(nextVersion(row, at(0))).toEqual(at(1));
  expect(nextVersion(row, at(-60_000))).toEqual(at(1));
});

test("a message is later than its chat's previous version, whatever the clock says", () => {
  const chat = { id: "chat_00000001", lastSequence: 7, updatedAt: at(0) } as ChatRow;
  const message = nextMessage(chat, { role: "visitor", text: "Hello" }, at(-60_000));
  expect(message).toMatchObject({ sequence: 8, createdAt: at(1) });
});
