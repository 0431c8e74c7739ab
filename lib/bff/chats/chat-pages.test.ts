import { expect, test } from "vitest";
import { ChatApiError, type ErrorCode } from "../../chat-api/errors.ts";
import type { Message } from "../../chat-api/message.ts";
import { aMessage } from "../../chat-api/testing/builders.ts";
import { bffLimits } from "../configuration/limits.ts";
import { createChatPages } from "./chat-pages.ts";

const chatId = "chat_0001";
const start = Date.parse("2026-03-01T08:00:00.000Z");

function messagesOf(length: number, from = 0): Message[] {
  return Array.from({ length }, (_, index) =>
    aMessage({
      id: `m${from + index}`,
      text: `${from + index}`,
      createdAt: new Date(start + (from + index) * 60_000).toISOString(),
    }),
  );
}

/**
 * A chat whose list the Chat API gives in pages; with `towardsPast`, `nextCursor` leads to older ones. Counts
 * the requests, and the searches.
 */
function aChat(
  messages: Message[],
  { towardsPast = false, now }: { towardsPast?: boolean; now?: () => number } = {},
) {
  const pages = createChatPages(now);
  const asked: (string | null)[] = [];
  let searches = 0;
  /** Cursors of another generation are stale. */
  let generation = "c";
  let failure: ErrorCode | undefined;
  const request = {
    chatId,
    async list(cursor: string | null, limit: number) {
      asked.push(cursor);
      if (failure !== undefined) throw new ChatApiError(failure);
      if (cursor !== null && !cursor.startsWith(generation)) throw new ChatApiError("cursor_expired");
      const from = Number(cursor?.slice(1) ?? 0);
      const items = towardsPast
        ? messages.slice(Math.max(0, messages.length - from - limit), messages.length - from)
        : messages.slice(from, from + limit);
      return { items, nextCursor: from + limit < messages.length ? `${generation}${from + limit}` : null };
    },
    async onSearch() {
      searches += 1;
    },
  };
  const read = async (how: "before" | "news", messageId: string | null) => {
    const { items, nextCursor } = await pages[how](request, messageId);
    return { texts: items.map(({ text }) => Number(text)), nextCursor };
  };
  return {
    asked,
    searches: () => searches,
    renewCursors() {
      generation = "d";
    },
    fail(code: ErrorCode | undefined) {
      failure = code;
    },
    before: (messageId: string | null = null) => read("before", messageId),
    news: (messageId: string | null) => read("news", messageId),
    /** The requests of one read. */
    async during(reading: () => Promise<unknown>) {
      asked.length = 0;
      await reading();
      return [...asked];
    },
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** Reads from the end to the beginning. */
async function readAll(chat: ReturnType<typeof aChat>, from: string | null = null): Promise<number[]> {
  let { texts, nextCursor } = await chat.before(from);
  while (nextCursor !== null) {
    const older = await chat.before(nextCursor);
    texts = [...older.texts, ...texts];
    nextCursor = older.nextCursor;
  }
  return texts;
}

test.each([0, 7, 30])("reads one page of a chat with %i messages", async (length) => {
  const chat = aChat(messagesOf(length));
  expect(await chat.before()).toEqual({ texts: range(0, length), nextCursor: null });
  expect(chat.asked).toEqual([null]);
  // Nor does a poll count, for example after a restart.
  await chat.news("m0");
  expect(chat.searches()).toBe(0);
});

test("searches the end of a long chat once, and reads one page for each later request", async () => {
  const chat = aChat(messagesOf(240));
  expect(await chat.before()).toEqual({ texts: range(200, 240), nextCursor: "m200" });
  expect(chat.asked).toEqual([null, "c50", "c100", "c150", "c200"]);
  expect(await chat.during(() => chat.before())).toEqual(["c200"]);
  expect(await chat.during(() => chat.before("m200"))).toEqual(["c150"]);
  expect(await readAll(chat)).toEqual(range(0, 240));
  expect(chat.searches()).toBe(1);
});

test("adds the page before a last page that does not fill the screen", async () => {
  const chat = aChat(messagesOf(110));
  expect(await chat.before()).toEqual({ texts: range(50, 110), nextCursor: "m50" });
  expect(chat.asked).toEqual([null, "c50", "c100"]);
  expect(await chat.during(() => chat.before())).toEqual(["c100", "c50"]);
});

test("finds the place of a message that another process has given", async () => {
  const chat = aChat(messagesOf(180));
  expect((await chat.before("m70")).texts).toEqual(range(0, 70));
  expect(await readAll(aChat(messagesOf(180)), "m100")).toEqual(range(0, 100));
  expect(chat.searches()).toBe(2);
});

test("finds nothing before a message that is not in the list", async () => {
  expect(await aChat(messagesOf(60)).before("another")).toEqual({ texts: [], nextCursor: null });
});

test("polls a long chat by one small request", async () => {
  const messages = messagesOf(149);
  const chat = aChat(messages);
  await chat.before();
  // The first poll moves the cursor close to the end.
  expect(await chat.during(() => chat.news("m148"))).toEqual(["c100", "c100"]);
  expect(await chat.during(() => chat.news("m148"))).toEqual(["c148"]);
  messages.push(...messagesOf(3, 149));
  expect((await chat.news("m148")).texts).toEqual(range(148, 152));
});

test("reads all news since a message, also for a page that has missed what others have read", async () => {
  const messages = messagesOf(60);
  const chat = aChat(messages);
  await chat.before();
  messages.push(...messagesOf(120, 60));
  expect((await chat.news("m59")).texts).toEqual(expect.arrayContaining(range(59, 180)));
  await chat.news("m179");
  expect((await chat.news("m100")).texts).toEqual(expect.arrayContaining(range(100, 180)));
});

test("reads several pages for a page that has read none", async () => {
  expect((await aChat(messagesOf(110)).news(null)).texts).toEqual(range(0, 110));
});

test("reads the end alone after more news than a poll takes", async () => {
  const messages = messagesOf(10);
  const chat = aChat(messages);
  await chat.before();
  messages.push(...messagesOf(990, 10));
  const { texts, nextCursor } = await chat.news("m9");
  expect(texts).toEqual(range(1_000 - bffLimits.newsPages * 50, 1_000));
  expect(nextCursor).toBe(`m${texts[0]}`);
});

test("reads a list whose pages lead to the past in that direction", async () => {
  const messages = messagesOf(180);
  const chat = aChat(messages, { towardsPast: true });
  expect(await readAll(chat)).toEqual(range(0, 180));
  messages.push(...messagesOf(2, 180));
  expect(
    await chat.during(async () => expect((await chat.news("m179")).texts).toEqual(range(162, 182))),
  ).toEqual([null]);
});

test("detects the page order when an open chat outgrows its first page", async () => {
  const messages = messagesOf(49);
  const chat = aChat(messages, { towardsPast: true });
  await chat.before();
  messages.push(...messagesOf(3, 49));
  for (let poll = 0; poll < 2; poll += 1) expect((await chat.news("m48")).texts).toEqual(range(32, 52));
});

test.each([false, true])("starts over when the Chat API has forgotten its cursors", async (towardsPast) => {
  const chat = aChat(messagesOf(220), { towardsPast });
  const { texts, nextCursor } = await chat.before();
  chat.renewCursors();
  expect(await readAll(chat, nextCursor)).toEqual(range(0, texts[0] ?? 0));
  expect((await chat.news("m219")).texts.at(-1)).toBe(219);
});

test("forwards other errors, and reads on afterwards", async () => {
  const chat = aChat(messagesOf(120));
  chat.fail("rate_limited");
  await expect(chat.before()).rejects.toMatchObject({ code: "rate_limited" });
  chat.fail(undefined);
  expect((await chat.before()).texts.at(-1)).toBe(119);
});

test("stops a long search at the time limit, and continues it in the next request", async () => {
  let requests = 0;
  const chat = aChat(messagesOf(190), {
    now() {
      requests += 1;
      return requests * bffLimits.searchTime * 0.4;
    },
  });
  for (let tries = 0; tries < 2; tries += 1)
    await expect(chat.before()).rejects.toMatchObject({ code: "service_unavailable", retryAfterSeconds: 1 });
  expect((await chat.before()).texts).toEqual(range(150, 190));
});

test.each([
  ["repeats a cursor", () => "a"],
  ["goes round in circles", (count: number) => (count % 2 === 0 ? "a" : "b")],
])("ends at the last new page of a list that %s", async (_, nextCursor) => {
  let count = 0;
  const read = createChatPages().before(
    {
      chatId,
      async list() {
        count += 1;
        return { items: [aMessage({ id: `m${count}` })], nextCursor: nextCursor(count) };
      },
      onSearch: async () => undefined,
    },
    null,
  );
  expect((await read).items.length).toBeGreaterThan(0);
});
