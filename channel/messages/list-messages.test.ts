/** Cases that `e2e/contract/list-messages.spec.ts` does not cover: expiry and retention. */
import { expect, test } from "vitest";
import type { Message } from "#lib/chat-api/message.ts";
import { lockChat } from "../chats/chat-store.ts";
import { claim } from "../testing/claimed-turn.ts";
import { type TestChannel, testChannel, testChat } from "../testing/test-channel.ts";
import { appendMessage } from "./message-store.ts";

interface Page {
  items: Message[];
  nextCursor: string | null;
  error: { code: string; field?: string };
}

const day = 24 * 60 * 60 * 1000;

function list(channel: TestChannel, chatId: string, query = "") {
  return channel.call<Page>(`/chats/${chatId}/messages${query}`);
}

async function refusal(channel: TestChannel, chatId: string, query: string) {
  const { status, body } = await list(channel, chatId, query);
  return `${status} ${body.error.code} ${body.error.field ?? ""}`.trim();
}

/** Adds messages without a reply. */
async function add(channel: TestChannel, chatId: string, count: number): Promise<void> {
  const ref = { channelKey: channel.channelKey, chatId };
  for (let index = 0; index < count; index++) {
    await channel.database.transaction(async (tx) => {
      const chat = await lockChat(tx, ref);
      const text = `${chat.lastSequence + 1}`;
      await appendMessage(tx, chat, { role: "system", text }, channel.channel.settings.clock.now());
    });
  }
}

test("a cursor expires after a day", async () => {
  const { channel, chatId } = await testChat();
  await add(channel, chatId, 3);
  const cursor = (await list(channel, chatId, "?limit=1")).body.nextCursor ?? "";
  await channel.channel.settings.change({ clockOffsetMs: day - 60_000 });
  expect((await list(channel, chatId, `?cursor=${cursor}`)).status).toBe(200);
  await channel.channel.settings.change({ clockOffsetMs: day + 1_000 });
  expect(await refusal(channel, chatId, `?cursor=${cursor}`)).toBe("410 cursor_expired /cursor");
  expect((await list(channel, chatId)).status).toBe(200);
});

test("drops messages after a year and marks the history as incomplete", async () => {
  const channel = await testChannel();
  const { settings } = channel.channel;
  const chatId = await channel.createChat();
  const [young] = [await channel.createChat()];
  await channel.send(chatId, { text: "Old" });
  await settings.change({ clockOffsetMs: 364 * day });
  await channel.send(chatId, { text: "New" });
  await channel.channel.runJobs();
  expect((await channel.getChat(chatId)).historyComplete).toBe(true);
  await settings.change({ clockOffsetMs: 366 * day });
  const before = await channel.getChat(chatId);
  await channel.channel.runJobs();
  const after = await channel.getChat(chatId);
  expect(after.historyComplete).toBe(false);
  expect(after.updatedAt > before.updatedAt).toBe(true);
  const { items } = (await list(channel, chatId)).body;
  expect(items.map((message) => message.text)).toEqual(["New", "Echo: New"]);
  expect((await channel.getChat(young)).historyComplete).toBe(true);
  expect((await channel.send(chatId, { text: "Newer" })).body.item.chat.historyComplete).toBe(false);
});

test("leaves the old messages of a chat alone while a turn runs in it", async () => {
  const { channel, chatId } = await testChat();
  await channel.send(chatId, { text: "Old" });
  await channel.channel.settings.change({ clockOffsetMs: 366 * day });
  expect(await claim(channel, { chatId })).toBeDefined();
  const before = await channel.getChat(chatId);
  await channel.channel.runJobs();
  expect(await channel.getChat(chatId)).toEqual(before);
  expect((await list(channel, chatId)).body.items[0]?.text).toBe("Old");
});
