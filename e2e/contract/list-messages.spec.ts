import type { Api } from "./support/api.ts";
import type { Message, MessagePage } from "./support/shapes.ts";
import { limits } from "./support/specification.ts";
import { choice, expect, expectError, lab, test } from "./support/test.ts";

const refusedLimits = ["0", "51", "-1", "1.5", "abc", "999999999999999999999"];

for (const limit of refusedLimits) {
  test(`rejects limit=${limit}`, ["list.limit", "errors.field"], async ({ api, sharedChatId: chatId }) => {
    const response = await api.call("listMessages", { chatId, query: `?limit=${limit}` });
    expectError(response, "invalid_request", { api, at: "/limit" });
  });
}

test(
  "accepts one limit, in plain decimal digits",
  [choice, "list.limit"],
  async ({ api, sharedChatId: chatId }) => {
    for (const limit of ["", "%2B5", "05", "%205", "%EF%BC%95", "1e1", "0x10", "5&limit=6", "5&limit=5"]) {
      const response = await api.call("listMessages", { chatId, query: `?limit=${limit}` });
      expectError(response, "invalid_request", { api, at: "/limit" });
    }
  },
);

test("accepts a limit from 1 to 50", ["list.limit"], async ({ api, sharedChatId: chatId }) => {
  for (const limit of [1, 20, 50]) {
    const { items } = await api.listMessages(chatId, `?limit=${limit}`);
    expect(items.length).toBeLessThanOrEqual(limit);
  }
});

test(
  "returns a single empty page for a new chat",
  [choice, "list.pages"],
  async ({ api, sharedChatId: chatId }) => {
    expect(await api.listMessages(chatId)).toEqual({ items: [], nextCursor: null });
  },
);

test("rejects a cursor that was never returned", ["list.cursor"], async ({ api, sharedChatId: chatId }) => {
  for (const cursor of ["a", "garbage_-cursor", "MTIzNDU2Nzg5MA", "x".repeat(2_048)]) {
    const response = await api.call("listMessages", { chatId, query: `?cursor=${cursor}` });
    expectError(response, "invalid_cursor", { api, at: "/cursor" });
  }
});

test("rejects a malformed cursor", ["list.cursor"], async ({ api, sharedChatId: chatId }) => {
  for (const cursor of ["", "%00", "a%20b", "a.b", "a%2Bb%3D%3D", "x".repeat(2_049), "%C3%A9"]) {
    const response = await api.call("listMessages", { chatId, query: `?cursor=${cursor}` });
    // The specification allows both: an invalid query field or an invalid cursor.
    expectError(response, ["invalid_cursor", "invalid_request"]);
  }
});

/** The pages from a cursor on, in the order of the responses. */
async function pages(
  api: Api,
  chatId: string,
  limit: number,
  from: string | null = null,
): Promise<Message[][]> {
  const walked: Message[][] = [];
  let cursor = from;
  do {
    const page: MessagePage = await api.listMessages(
      chatId,
      `?limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`,
    );
    walked.push(page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return walked;
}

const times = (messages: readonly Message[]) =>
  messages.flatMap(({ createdAt }) => (createdAt === null ? [] : [Date.parse(createdAt)]));
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);

test(
  "lists every message once, with the oldest first on each page",
  ["list.pages"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("paging");
    for (const text of ["First question", "Second question"]) await api.sendMessage(chatId, { text });
    // A page may hold fewer messages than its limit, and the last one none, so all pages are read.
    const [one, three, fifty] = [
      await pages(api, chatId, 1),
      await pages(api, chatId, 3),
      await pages(api, chatId, 50),
    ];
    // The specification leaves the order of the pages open.
    const [earliest, latest] = [times(one.flat()).at(0) ?? 0, times(one.flat()).at(-1) ?? 0];
    const inOrder = (walked: Message[][]) => (latest < earliest ? walked.toReversed() : walked).flat();
    const all = inOrder(fifty);
    expect(all.length).toBeGreaterThanOrEqual(4);
    for (const [limit, walked] of [
      [1, one],
      [3, three],
      [50, fifty],
    ] as const) {
      for (const page of walked) {
        expect(page.length).toBeLessThanOrEqual(limit);
        expect(times(page)).toEqual(sorted(times(page)));
      }
      expect(ids(inOrder(walked))).toEqual(ids(all));
    }
    expect(times(all)).toEqual(sorted(times(all)));
  },
);

test("returns the same page for the same cursor", ["list.cursor"], async ({ api, planned }) => {
  const { id: chatId } = await planned("paging");
  if ((await api.listMessages(chatId)).items.length < 2) await api.sendMessage(chatId, { text: "Hello" });
  const { nextCursor } = await api.listMessages(chatId, "?limit=1");
  expect(nextCursor).not.toBeNull();
  const once = await api.listMessages(chatId, `?limit=1&cursor=${nextCursor}`);
  const again = await api.listMessages(chatId, `?limit=1&cursor=${nextCursor}`);
  expect(again.items).toEqual(once.items);
});

test("accepts a cursor with another limit", [choice, "list.cursor"], async ({ api, planned }) => {
  const { id: chatId } = await planned("paging");
  if ((await api.listMessages(chatId)).items.length < 2) await api.sendMessage(chatId, { text: "Hello" });
  const first = await api.listMessages(chatId, "?limit=1");
  const rest = await pages(api, chatId, 50, first.nextCursor);
  expect(ids([...first.items, ...rest.flat()]).toSorted()).toEqual(
    ids(await api.allMessages(chatId)).toSorted(),
  );
});

/** Sends messages to a chat that a teammate has claimed, so that no call waits for a reply. */
async function fill(api: Api, chatId: string, count: number): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, n) => `Message ${n + 1}`);
  for (const text of texts) await api.sendMessage(chatId, { text });
  return texts;
}

test("returns 20 messages without a limit", [lab, "list.limit"], async ({ api, lab, chatId }) => {
  await lab.claim(chatId, "Priya N.");
  const texts = await fill(api, chatId, 21);
  const visitors = (messages: readonly Message[]) =>
    messages.filter(({ role }) => role === "visitor").map(({ text }) => text);

  const first = await api.listMessages(chatId);
  expect(first.items).toHaveLength(limits.pageDefault);
  expect(first.nextCursor).not.toBeNull();
  expect(visitors(await api.allMessages(chatId, 20))).toEqual(texts);

  // Our pages run from the oldest to the newest.
  expect(visitors(first.items)).toEqual(texts.slice(0, visitors(first.items).length));
});

test(
  "returns no cursor when the last page is exactly full",
  [lab, "list.pages"],
  async ({ api, lab, chatId }) => {
    await lab.claim(chatId, "Priya N.");
    await fill(api, chatId, 6);
    const total = (await api.listMessages(chatId, "?limit=50")).items.length;
    expect((await api.listMessages(chatId, `?limit=${total}`)).nextCursor).toBeNull();
    expect((await api.listMessages(chatId, `?limit=${total - 1}`)).nextCursor).not.toBeNull();
  },
);

test(
  "rejects another chat's cursor and a modified one",
  [lab, "list.cursor"],
  async ({ api, lab, freshChat }) => {
    const other = await api.createChat();
    for (const chat of [freshChat, other]) {
      await lab.claim(chat.id, "Priya N.");
      await fill(api, chat.id, 3);
    }
    const { nextCursor } = await api.listMessages(freshChat.id, "?limit=1");
    if (nextCursor === null) throw new Error("one page holds all");
    const asked = (chatId: string, cursor: string) =>
      api.call("listMessages", { chatId, query: `?cursor=${cursor}` });
    expectError(await asked(other.id, nextCursor), "invalid_cursor");
    for (let at = 0; at < nextCursor.length; at += 1) {
      const changed = `${nextCursor.slice(0, at)}${nextCursor[at] === "A" ? "B" : "A"}${nextCursor.slice(at + 1)}`;
      expectError(await asked(freshChat.id, changed), "invalid_cursor");
    }
    expectError(await asked(freshChat.id, nextCursor.slice(0, -1)), "invalid_cursor");
    expectError(await asked(freshChat.id, `${nextCursor}A`), "invalid_cursor");
  },
);

test("rejects an expired cursor with 410", [lab, "list.cursor"], async ({ api, lab, chatId }) => {
  await api.sendMessage(chatId, { text: "Hello" });
  const { nextCursor } = await api.listMessages(chatId, "?limit=1");
  await lab.expireCursors();
  const response = await api.call("listMessages", { chatId, query: `?cursor=${nextCursor}` });
  expectError(response, "cursor_expired");
});

test(
  "neither skips nor repeats messages that arrive during paging",
  [lab, "list.pages"],
  async ({ api, lab, chatId }) => {
    await lab.claim(chatId, "Priya N.");
    await fill(api, chatId, 5);
    const seen: Message[] = [];
    let cursor: string | null = null;
    let count = 0;
    do {
      const page = await api.listMessages(chatId, `?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
      seen.push(...page.items);
      cursor = page.nextCursor;
      if (count < 3) {
        count += 1;
        await api.sendMessage(chatId, { text: `Late ${count}` });
      }
    } while (cursor !== null);
    expect(ids(seen)).toEqual(ids(await api.allMessages(chatId)));
  },
);

test("ignores unknown query parameters", [choice, "list.limit"], async ({ api, sharedChatId: chatId }) => {
  expect(await api.listMessages(chatId, "?surprise=1&limit=5")).toEqual(await api.listMessages(chatId));
});
