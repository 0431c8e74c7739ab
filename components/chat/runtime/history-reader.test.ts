import { expect, test } from "vitest";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Message, MessagePage } from "#lib/chat-api/message.ts";
import { aMessage } from "#lib/conversation/testing/builders.ts";
import { createHistoryReader } from "./history-reader.ts";
import type { ChatStorage } from "./storage.ts";

const chatId = "chat_gallery_1";
const start = Date.parse("2026-03-01T08:00:00.000Z");

function messagesOf(length: number): Message[] {
  return Array.from({ length }, (_, index) =>
    aMessage({ text: `${index}`, createdAt: new Date(start + index * 60_000).toISOString() }),
  );
}

function memoryStorage(): ChatStorage {
  const kept = new Map<string, string>();
  return {
    read: (name) => kept.get(name) ?? null,
    write: (name, value) => void (value === null ? kept.delete(name) : kept.set(name, value)),
    onChange: () => () => undefined,
    isLasting: () => true,
  };
}

/** Pages as a server may cut them; `towardsPast` is the other reading of `nextCursor`. Counts what was asked. */
function pagesOf(messages: Message[], towardsPast = false) {
  const asked: (string | null)[] = [];
  return {
    asked,
    listMessages(
      _chatId: string,
      query: { limit?: number | undefined; cursor?: string | undefined } = {},
    ): Promise<MessagePage> {
      asked.push(query.cursor ?? null);
      const limit = query.limit ?? 20;
      const from = Number(query.cursor?.slice(1) ?? 0);
      const items = towardsPast
        ? messages.slice(Math.max(0, messages.length - from - limit), messages.length - from)
        : messages.slice(from, from + limit);
      const nextCursor = from + limit < messages.length ? `c${from + limit}` : null;
      return Promise.resolve({ items, nextCursor });
    },
  };
}

const texts = (messages: readonly Message[]) => messages.map(({ text }) => Number(text));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test("the first opening follows all pages, the next one reads the last two", async () => {
  const client = pagesOf(messagesOf(230));
  const storage = memoryStorage();
  const first = await createHistoryReader({ client, chatId, storage }).readEnd();
  expect(texts(first.messages)).toEqual(range(0, 230));
  expect(first.hasOlder).toBe(false);
  expect(client.asked).toEqual([null, "c50", "c100", "c150", "c200"]);

  client.asked.length = 0;
  const reader = createHistoryReader({ client, chatId, storage });
  const second = await reader.readEnd();
  expect(texts(second.messages)).toEqual(range(150, 230));
  expect(second.hasOlder).toBe(true);
  expect(client.asked.sort()).toEqual(["c150", "c200"]);
  expect(texts((await reader.readOlder()).messages)).toEqual(range(100, 150));
});

test("looking for news costs one small request, however long the chat is", async () => {
  const messages = messagesOf(230);
  const client = pagesOf(messages);
  const reader = createHistoryReader({ client, chatId, storage: memoryStorage() });
  await reader.readEnd();
  await reader.readNews();
  client.asked.length = 0;
  expect(texts(await reader.readNews())).toEqual([229]);
  expect(client.asked).toEqual(["c229"]);
  messages.push(...messagesOf(3).map((message) => ({ ...message, id: `new_${message.id}` })));
  expect(await reader.readNews()).toHaveLength(4);
});

test("a list whose pages lead to the past is read that way", async () => {
  const client = pagesOf(messagesOf(180), true);
  const reader = createHistoryReader({ client, chatId, storage: memoryStorage() });
  const end = await reader.readEnd();
  expect(texts(end.messages)).toEqual(range(80, 180));
  expect(end.hasOlder).toBe(true);
  expect(texts((await reader.readOlder()).messages)).toEqual(range(30, 80));
  const oldest = await reader.readOlder();
  expect(texts(oldest.messages)).toEqual(range(0, 30));
  expect(oldest.hasOlder).toBe(false);
  expect(texts(await reader.readNews())).toEqual(range(160, 180));
});

test("cursors that the server has forgotten are forgotten here too, without a word", async () => {
  const client = pagesOf(messagesOf(120));
  const storage = memoryStorage();
  await createHistoryReader({ client, chatId, storage }).readEnd();
  const listMessages: typeof client.listMessages = (id, query) =>
    query?.cursor === "c100" && storage.read(`pages:${chatId}`) !== null
      ? Promise.reject(new ChatApiError("cursor_expired"))
      : client.listMessages(id, query);
  const end = await createHistoryReader({ client: { listMessages }, chatId, storage }).readEnd();
  expect(texts(end.messages)).toEqual(range(0, 120));
});

test("any other failure is the caller's", async () => {
  const listMessages = () => Promise.reject(new ChatApiError("chat_not_found"));
  const reader = createHistoryReader({ client: { listMessages }, chatId, storage: memoryStorage() });
  await expect(reader.readEnd()).rejects.toThrow(ChatApiError);
});
