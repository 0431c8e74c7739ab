import { expect, test } from "vitest";
import { ChatApiError } from "../../chat-api/errors.ts";
import type { Message, MessagePage } from "../../chat-api/message.ts";
import * as conversationLimits from "../limits.ts";
import { aMessage } from "../testing/builders.ts";
import { memoryStorage } from "../testing/memory-storage.ts";
import { createHistoryReader } from "./history-reader.ts";
import type { ReadLatest } from "./latest-messages.ts";

const chatId = "chat_gallery_1";
const start = Date.parse("2026-03-01T08:00:00.000Z");

function messagesOf(length: number): Message[] {
  return Array.from({ length }, (_, index) =>
    aMessage({ text: `${index}`, createdAt: new Date(start + index * 60_000).toISOString() }),
  );
}

interface Listed {
  /** Cursors of the page requests, in order. */
  asked: (string | null)[];
  /** Cursors of the requests for the latest messages. */
  askedLatest: (string | null)[];
  listMessages(
    chatId: string,
    query?: { limit?: number | undefined; cursor?: string | undefined },
  ): Promise<MessagePage>;
  readLatest: ReadLatest;
}

/**
 * A list of messages in pages of any size; with `towardsPast`, `nextCursor` leads to older pages. Finds the
 * end like this shop's server, which reads `patience` pages per request.
 */
function pagesOf(messages: Message[], { towardsPast = false, patience = 1_000 } = {}): Listed {
  const pageAt = (cursor: string | null, limit: number): MessagePage => {
    const from = Number(cursor?.slice(1) ?? 0);
    const items = towardsPast
      ? messages.slice(Math.max(0, messages.length - from - limit), messages.length - from)
      : messages.slice(from, from + limit);
    const nextCursor = from + limit < messages.length ? `c${from + limit}` : null;
    return { items, nextCursor };
  };
  const listed: Listed = {
    asked: [],
    askedLatest: [],
    listMessages(_chatId, query = {}) {
      listed.asked.push(query.cursor ?? null);
      return Promise.resolve(pageAt(query.cursor ?? null, query.limit ?? 20));
    },
    readLatest(_chatId, cursor) {
      listed.askedLatest.push(cursor);
      if (towardsPast) {
        const [newest, before] = [pageAt(null, 50), pageAt("c50", 50)];
        const both = [...before.items, ...newest.items];
        return Promise.resolve({ messages: both, starts: [], first: 0, nextCursor: before.nextCursor });
      }
      const starts = [cursor];
      let page = pageAt(cursor, 50);
      for (let count = 1; page.nextCursor !== null; count += 1) {
        if (count === patience)
          return Promise.resolve({ messages: [], starts, first: count, nextCursor: page.nextCursor });
        starts.push(page.nextCursor);
        page = pageAt(page.nextCursor, 50);
      }
      const before = starts.length > 1 ? pageAt(starts.at(-2) ?? null, 50).items : [];
      return Promise.resolve({
        messages: [...before, ...page.items],
        starts,
        first: Math.max(0, starts.length - 2),
        nextCursor: null,
      });
    },
  };
  return listed;
}

function readerOf(listed: Listed, storage = memoryStorage()) {
  return createHistoryReader({ client: listed, readLatest: listed.readLatest, chatId, storage });
}

const texts = (messages: readonly Message[]) => messages.map(({ text }) => Number(text));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test("opens a chat with one request and remembers where the next opening begins", async () => {
  const listed = pagesOf(messagesOf(230));
  const storage = memoryStorage();
  const first = await readerOf(listed, storage).readEnd();
  expect(texts(first.messages)).toEqual(range(150, 230));
  expect(first.hasOlder).toBe(true);

  const reader = readerOf(listed, storage);
  const second = await reader.readEnd();
  expect(texts(second.messages)).toEqual(range(150, 230));
  expect(listed.askedLatest).toEqual([null, "c150"]);
  expect(listed.asked).toEqual([]);
  expect(texts((await reader.readOlder()).messages)).toEqual(range(100, 150));
  await reader.readOlder();
  expect(await reader.readOlder()).toMatchObject({ hasOlder: false });
  expect(listed.asked).toEqual(["c100", "c50", null]);
});

test("continues from where the server stopped its search", async () => {
  const listed = pagesOf(messagesOf(500), { patience: 3 });
  const reader = readerOf(listed);
  const end = await reader.readEnd();
  expect(listed.askedLatest).toEqual([null, "c150", "c300", "c450"]);
  expect(texts(end.messages)).toEqual(range(450, 500));
  expect(end.hasOlder).toBe(true);
  expect(texts((await reader.readOlder()).messages)).toEqual(range(400, 450));
});

test("stops following an endless list", async () => {
  const listed = pagesOf(messagesOf(10_000), { patience: 2 });
  const end = await readerOf(listed).readEnd();
  expect(listed.askedLatest).toHaveLength(conversationLimits.latestCalls);
  expect(end.messages).toHaveLength(50);
  const looping = { ...pagesOf(messagesOf(180), { towardsPast: true }) };
  const pages: string[] = [];
  const reader = readerOf({
    ...looping,
    listMessages: (_chatId, query) => {
      pages.push(query?.cursor ?? "");
      return Promise.resolve({ items: [], nextCursor: pages.length % 2 === 0 ? "a" : "b" });
    },
  });
  await reader.readEnd();
  for (let more = true; more; ) more = (await reader.readOlder()).hasOlder;
  expect(pages.length).toBeLessThan(5);
});

test.each([60, 2_000, 10_000])(
  "needs the same few requests to return to a chat of %i messages and poll it",
  async (length) => {
    const messages = messagesOf(length);
    const listed = pagesOf(messages);
    const storage = memoryStorage();
    await readerOf(listed, storage).readEnd();
    const reader = readerOf(listed, storage);
    await reader.readEnd();
    expect(listed.askedLatest).toHaveLength(2);
    expect(listed.asked).toHaveLength(0);
    await reader.readNews();
    // The first poll moves its cursor close to the end; after that each poll is one small request.
    expect(listed.asked.length).toBeLessThanOrEqual(2);
    listed.asked.length = 0;
    expect((await reader.readNews()).length).toBeLessThanOrEqual(conversationLimits.tailSlack);
    expect(listed.asked).toHaveLength(1);
    messages.push(...messagesOf(3).map((message) => ({ ...message, id: `new_${message.id}` })));
    expect((await reader.readNews()).length).toBeLessThanOrEqual(3 + conversationLimits.tailSlack);
    expect(listed.asked).toHaveLength(2);
  },
);

test("reads a list whose pages lead to the past in that direction", async () => {
  const reader = readerOf(pagesOf(messagesOf(180), { towardsPast: true }));
  const end = await reader.readEnd();
  expect(texts(end.messages)).toEqual(range(80, 180));
  expect(end.hasOlder).toBe(true);
  expect(texts((await reader.readOlder()).messages)).toEqual(range(30, 80));
  const oldest = await reader.readOlder();
  expect(texts(oldest.messages)).toEqual(range(0, 30));
  expect(oldest.hasOlder).toBe(false);
  expect(texts(await reader.readNews())).toEqual(range(160, 180));
});

test("detects the page order when an open chat outgrows its first page", async () => {
  const messages = messagesOf(49);
  const listed = pagesOf(messages, { towardsPast: true });
  const reader = readerOf({
    ...listed,
    readLatest: () => Promise.resolve({ messages, starts: [null], first: 0, nextCursor: null }),
  });
  await reader.readEnd();
  const late = start + 49 * 60_000;
  messages.push(
    ...range(49, 52).map((index) => aMessage({ text: `${index}`, createdAt: new Date(late).toISOString() })),
  );
  for (let poll = 0; poll < 2; poll += 1) expect(texts(await reader.readNews())).toEqual(range(32, 52));
});

test.each(["cursor_expired", "invalid_cursor"] as const)(
  "forgets cursors that the server refuses with %s",
  async (code) => {
    const listed = pagesOf(messagesOf(220));
    const reader = readerOf({
      ...listed,
      listMessages: () => Promise.reject(new ChatApiError(code)),
    });
    await reader.readEnd();
    const again = await reader.readOlder();
    expect(listed.askedLatest).toEqual([null, null]);
    expect(texts(again.messages)).toEqual(range(150, 220));
  },
);

test("reads the same news again after one of its pages could not be read", async () => {
  const messages = messagesOf(3);
  const listed = pagesOf(messages);
  let reads = 0;
  const reader = readerOf({
    ...listed,
    listMessages(id, query) {
      reads += 1;
      return reads === 3 ? Promise.reject(new Error("lost")) : listed.listMessages(id, query);
    },
  });
  await reader.readEnd();
  messages.push(...messagesOf(120));
  await expect(reader.readNews()).rejects.toThrow("lost");
  expect(new Set((await reader.readNews()).map(({ id }) => id)).size).toBe(123);
});

test("reads a list towards the past to its beginning despite expired cursors", async () => {
  const listed = pagesOf(messagesOf(320), { towardsPast: true });
  let fails = false;
  const reader = readerOf({
    ...listed,
    listMessages: (id, query) =>
      fails ? Promise.reject(new ChatApiError("cursor_expired")) : listed.listMessages(id, query),
  });
  await reader.readEnd();
  await reader.readOlder();
  await reader.readOlder();
  fails = true;
  await reader.readOlder();
  fails = false;
  let older = await reader.readOlder();
  for (let page = 0; page < 10 && older.hasOlder; page += 1) older = await reader.readOlder();
  expect(texts(older.messages)[0]).toBe(0);
});

test("leaves no gap after a page that was in flight during a re-read", async () => {
  const listed = pagesOf(messagesOf(220));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isExpired = false;
  const reader = readerOf({
    ...listed,
    async listMessages(id, query) {
      // The first page has no cursor that could expire.
      if (query?.cursor === undefined) await released;
      else if (isExpired) {
        isExpired = false;
        throw new ChatApiError("cursor_expired");
      }
      return listed.listMessages(id, query);
    },
  });
  await reader.readEnd();
  await reader.readOlder();
  await reader.readOlder();
  const inFlight = reader.readOlder();
  isExpired = true;
  const news = reader.readNews();
  // Runs all pending work that does not depend on the first page.
  await new Promise(setImmediate);
  release();
  await news;
  expect(isExpired).toBe(false);
  const seen = new Set(texts((await inFlight).messages));
  for (let page = await reader.readOlder(); ; page = await reader.readOlder()) {
    for (const text of texts(page.messages)) seen.add(text);
    if (!page.hasOlder) break;
  }
  expect([...seen].sort((one, other) => one - other)).toEqual(range(0, 150));
});

test("leaves no gap after pages requested during a re-read", async () => {
  const listed = pagesOf(messagesOf(220));
  const { promise: askedAnew, resolve: askAnew } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isExpired = false;
  const reader = readerOf({
    ...listed,
    async listMessages(id, query) {
      if (query?.cursor !== undefined && isExpired) throw new ChatApiError("cursor_expired");
      return listed.listMessages(id, query);
    },
    async readLatest(id, cursor) {
      if (isExpired) {
        askAnew();
        await released;
      }
      return listed.readLatest(id, cursor);
    },
  });
  const seen = new Set(texts((await reader.readEnd()).messages));
  const read = [await reader.readOlder()];
  isExpired = true;
  const news = reader.readNews();
  await askedAnew;
  isExpired = false;
  const readOn = async () => {
    for (let page = 0; page < 2 && read.at(-1)?.hasOlder; page += 1) read.push(await reader.readOlder());
  };
  const meanwhile = readOn();
  // Runs all pending work that does not depend on the list's end.
  await new Promise(setImmediate);
  release();
  await Promise.all([news, meanwhile]);
  while (read.at(-1)?.hasOlder) read.push(await reader.readOlder());
  for (const page of read) for (const text of texts(page.messages)) seen.add(text);
  expect([...seen].sort((one, other) => one - other)).toEqual(range(0, 220));
});

test("retries a failed re-read first", async () => {
  const listed = pagesOf(messagesOf(280));
  const failures: Error[] = [];
  const fail = () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  };
  const reader = readerOf({
    ...listed,
    async listMessages(id, query) {
      fail();
      return listed.listMessages(id, query);
    },
    async readLatest(id, cursor) {
      fail();
      return listed.readLatest(id, cursor);
    },
  });
  await reader.readEnd();
  failures.push(new ChatApiError("cursor_expired"), new ChatApiError("service_unavailable"));
  await expect(reader.readNews()).rejects.toThrow(ChatApiError);
  expect(texts((await reader.readOlder()).messages)).toEqual(range(200, 280));
  expect(texts((await reader.readOlder()).messages)).toEqual(range(150, 200));
});

test("rejects a read with an error that is not about cursors; other reads go on", async () => {
  const listed = pagesOf(messagesOf(1));
  const reader = readerOf({
    ...listed,
    readLatest: () => Promise.reject(new ChatApiError("chat_not_found")),
  });
  await expect(reader.readEnd()).rejects.toThrow(ChatApiError);
  // A failed read does not affect the next one.
  expect(await reader.readNews()).toHaveLength(1);
});
