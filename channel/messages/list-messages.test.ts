/** Listing messages, page by page. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message } from "#lib/chat-api/message.ts";
import { lockChat } from "../chats/chat-store.ts";
import { claim } from "../testing/claimed-turn.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
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
async function add(channel: TestChannel, chatId: string, count: number, prefix = ""): Promise<void> {
  const place = { channelKey: channel.channelKey, chatId };
  for (let index = 0; index < count; index++) {
    await channel.database.transaction(async (tx) => {
      const chat = await lockChat(tx, place);
      const text = `${prefix}${chat.lastSequence + 1}`;
      await appendMessage(tx, chat, { role: "system", text }, channel.channel.settings.clock.now());
    });
  }
}

async function walk(channel: TestChannel, chatId: string, limit: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Page = (
      await list(channel, chatId, `?limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`)
    ).body;
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}

test("a chat without messages has one empty page", async () => {
  const channel = await testChannel();
  const { status, body } = await list(channel, await channel.createChat());
  expect([status, body]).toEqual([200, { items: [], nextCursor: null }]);
});

test("lists messages oldest first, twenty per page by default", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await add(channel, chatId, 51);
  const first = (await list(channel, chatId)).body;
  expect(first.items.map((message) => message.text)).toEqual(
    Array.from({ length: 20 }, (_, index) => `${index + 1}`),
  );
  expect(first.nextCursor).toMatch(/^[A-Za-z0-9_-]{1,2048}$/);
  expect((await list(channel, chatId, "?limit=50")).body.items).toHaveLength(50);
  expect((await list(channel, chatId, "?limit=1")).body.items).toHaveLength(1);
  const times = (await walk(channel, chatId, 7)).flatMap((page) =>
    page.items.map((message) => message.createdAt ?? ""),
  );
  expect(times).toEqual(times.toSorted());
});

test("the last page has no cursor, even if it is full", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await add(channel, chatId, 4);
  const pages = await walk(channel, chatId, 2);
  expect(pages.map((page) => page.items.length)).toEqual([2, 2]);
});

test("pages of any size contain every message once, in order", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await add(channel, chatId, 23);
  const expected = Array.from({ length: 23 }, (_, index) => `${index + 1}`);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 50 }), async (limit) => {
      const pages = await walk(channel, chatId, limit);
      expect(pages.flatMap((page) => page.items.map((message) => message.text))).toEqual(expected);
      expect(pages).toHaveLength(Math.ceil(23 / limit));
      for (const page of pages.slice(0, -1)) expect(page.items).toHaveLength(limit);
    }),
    { numRuns: 15 },
  );
});

test("messages that arrive while paging are neither missed nor repeated", async () => {
  const channel = await testChannel();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 }),
      async (limit, before, arrivals) => {
        const chatId = await channel.createChat();
        await add(channel, chatId, before);
        const seen: string[] = [];
        const waiting = [...arrivals];
        for (let query = `?limit=${limit}`; query !== ""; ) {
          const page = (await list(channel, chatId, query)).body;
          seen.push(...page.items.map((message) => message.text));
          await add(channel, chatId, waiting.shift() ?? 0);
          query = page.nextCursor === null ? "" : `?limit=${limit}&cursor=${page.nextCursor}`;
        }
        expect(seen).toEqual(seen.map((_, index) => `${index + 1}`));
        expect(seen.length).toBeGreaterThanOrEqual(before);
      },
    ),
    { numRuns: 20 },
  );
});

test("refuses a limit other than an integer from 1 to 50", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  for (const limit of [
    "0",
    "51",
    "-1",
    "1e1",
    "1.0",
    "%205",
    "+5",
    "５",
    "",
    "abc",
    "0x10",
    "05",
    "100",
    "NaN",
  ])
    expect(await refusal(channel, chatId, `?limit=${limit}`), limit).toBe("400 invalid_request /limit");
  expect(await refusal(channel, chatId, "?limit=5&limit=6")).toBe("400 invalid_request /limit");
});

test("refuses a cursor that was not returned for this list", async () => {
  const channel = await testChannel();
  const [chatId, other] = [await channel.createChat(), await channel.createChat()];
  await add(channel, chatId, 3);
  await add(channel, other, 3);
  const cursor = (await list(channel, chatId, "?limit=1")).body.nextCursor ?? "";
  const foreign = (await list(channel, other, "?limit=1")).body.nextCursor ?? "";
  const flipped = `${cursor.startsWith("A") ? "B" : "A"}${cursor.slice(1)}`;
  const wrong = [
    "abc",
    "",
    "%20",
    "a.b",
    "%00",
    foreign,
    flipped,
    `${cursor}A`,
    cursor.slice(0, -1),
    "a".repeat(2_048),
    "a".repeat(2_049),
  ];
  for (const value of wrong)
    expect(await refusal(channel, chatId, `?cursor=${value}`), value).toBe("400 invalid_cursor /cursor");
  expect(await refusal(channel, chatId, `?cursor=${cursor}&cursor=${cursor}`)).toBe(
    "400 invalid_cursor /cursor",
  );
  for (let bit = 0; bit < cursor.length; bit++) {
    const letter = cursor[bit] === "x" ? "y" : "x";
    const tampered = cursor.slice(0, bit) + letter + cursor.slice(bit + 1);
    expect(await refusal(channel, chatId, `?cursor=${tampered}`)).toBe("400 invalid_cursor /cursor");
  }
  expect(
    (await list(channel, chatId, `?cursor=${cursor}`)).body.items.map((message) => message.text),
  ).toEqual(["2", "3"]);
});

test("a cursor may be reused, also with another limit", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await add(channel, chatId, 6);
  const cursor = (await list(channel, chatId, "?limit=2")).body.nextCursor ?? "";
  for (const limit of [1, 4, 50]) {
    const { items } = (await list(channel, chatId, `?limit=${limit}&cursor=${cursor}`)).body;
    expect(items[0]?.text).toBe("3");
  }
});

test("a cursor expires after a day", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await add(channel, chatId, 3);
  const cursor = (await list(channel, chatId, "?limit=1")).body.nextCursor ?? "";
  await channel.channel.settings.change({ clockOffsetMs: day - 60_000 });
  expect((await list(channel, chatId, `?cursor=${cursor}`)).status).toBe(200);
  await channel.channel.settings.change({ clockOffsetMs: day + 1_000 });
  expect(await refusal(channel, chatId, `?cursor=${cursor}`)).toBe("410 cursor_expired /cursor");
  expect((await list(channel, chatId)).status).toBe(200);
});

test("listing an unknown chat answers chat_not_found", async () => {
  const channel = await testChannel();
  expect(await refusal(channel, "chat_0001", "")).toBe("404 chat_not_found");
  expect(await refusal(channel, "chat_0001", "?limit=0")).toBe("400 invalid_request /limit");
});

test("ignores unknown query parameters", async () => {
  const channel = await testChannel();
  expect((await list(channel, await channel.createChat(), "?order=desc&x")).status).toBe(200);
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
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await channel.send(chatId, { text: "Old" });
  await channel.channel.settings.change({ clockOffsetMs: 366 * day });
  expect(await claim(channel, { chatId })).toBeDefined();
  const before = await channel.getChat(chatId);
  await channel.channel.runJobs();
  expect(await channel.getChat(chatId)).toEqual(before);
  expect((await list(channel, chatId)).body.items[0]?.text).toBe("Old");
});
