import { expect, test } from "vitest";
import { ChatApiError, type ErrorCode } from "../../chat-api/errors.ts";
import { aMessage } from "../../chat-api/testing/builders.ts";
import { bffLimits } from "../configuration/limits.ts";
import { readLatestMessages } from "./latest-messages.ts";

type PageStart = string | null;

/**
 * A message list whose pages begin at these cursors. They have 50 messages, the last one `last`. `renew` lets
 * the Chat API forget them.
 */
function aList(cursors: readonly PageStart[], last = 50) {
  const requests: PageStart[] = [];
  let pages = [...cursors];
  let staleCode: ErrorCode = "cursor_expired";
  return {
    requests,
    /** Replaces the cursors. The old ones then fail with this code. */
    renew(renewed: readonly PageStart[], code: ErrorCode) {
      pages = [...renewed];
      staleCode = code;
    },
    read: (cursor: PageStart = null, now: () => number = () => 0) =>
      readLatestMessages({
        now,
        cursor,
        async list(start) {
          requests.push(start);
          const at = pages.indexOf(start);
          if (at < 0) throw new ChatApiError(staleCode);
          const length = at === pages.length - 1 ? last : 50;
          const items = Array.from({ length }, (_, index) =>
            aMessage({
              id: `msg_${at}_${index}`,
              createdAt: new Date(1e12 + at * 1e6 + index).toISOString(),
            }),
          );
          return { items, nextCursor: pages[at + 1] ?? null };
        },
      }),
  };
}

test("reads only the last page for a caller who knows where it begins", async () => {
  const list = aList([null, "a", "b"]);
  expect((await list.read()).starts).toEqual([null, "a", "b"]);
  list.requests.length = 0;
  expect(await list.read("b")).toMatchObject({ starts: ["b"], first: 0, items: { 0: { id: "msg_2_0" } } });
  expect(list.requests).toEqual(["b"]);
});

test("adds the page before a last page that does not fill the screen", async () => {
  const list = aList([null, "a", "b"], 10);
  const ids = async (cursor: PageStart) => (await list.read(cursor)).items.map(({ id }) => id);
  const first = await ids(null);
  expect([first.length, first[0], first.at(-1)]).toEqual([60, "msg_1_0", "msg_2_9"]);
  list.requests.length = 0;
  expect(await ids("a")).toEqual(first);
  expect(list.requests).toEqual(["a", "b"]);
});

test("starts over when the caller's pages do not fill the screen", async () => {
  const list = aList([null, "a", "b"], 10);
  expect(await list.read("b")).toMatchObject({ starts: [null, "a", "b"], first: 1 });
  expect(list.requests).toEqual(["b", null, "a", "b"]);
});

test.each([0, 7])("reads one page of a chat with %i messages", async (length) => {
  const list = aList([null], length);
  expect(await list.read()).toMatchObject({ starts: [null], first: 0, nextCursor: null });
  expect(list.requests).toEqual([null]);
});

test.each(["cursor_expired", "invalid_cursor"] as const)(
  "starts over when the caller's page answers %s",
  async (code) => {
    const list = aList([null, "a", "b"]);
    list.renew([null, "x"], code);
    expect(await list.read("a")).toMatchObject({ starts: [null, "x"], nextCursor: null });
    expect(list.requests).toEqual(["a", null, "x"]);
  },
);

test("forwards other errors", async () => {
  const list = aList([null, "a", "b"]);
  list.renew([null, "x"], "chat_not_found");
  await expect(list.read("a")).rejects.toMatchObject({ code: "chat_not_found" });
  expect(list.requests).toEqual(["a"]);
});

test("does not start over when the first page fails", async () => {
  const list = aList([]);
  await expect(list.read()).rejects.toMatchObject({ code: "cursor_expired" });
  expect(list.requests).toEqual([null]);
});

test("treats a repeated cursor as the end", async () => {
  const loop = aList([null, "a", "b", "a"]);
  expect(await loop.read()).toMatchObject({ starts: [null, "a", "b"], first: 2, nextCursor: null });
  expect(loop.requests).toEqual([null, "a", "b"]);
});

test("stops following a long list at the time limit and returns the next cursor", async () => {
  const list = aList([null, "a", "b", "c"]);
  // Each page takes almost the time limit of the whole request.
  const now = () => list.requests.length * (bffLimits.latestMessagesTime - 1);
  expect(await list.read(null, now)).toEqual({ items: [], starts: [null, "a"], first: 2, nextCursor: "b" });
  const { items, nextCursor } = await list.read("b");
  expect([items.at(-1)?.id, nextCursor]).toEqual(["msg_3_49", null]);
});

test("keeps the last pages of a list that is too long to read from the beginning", async () => {
  const list = aList([null, "a", "b"], 10);
  let time = 0;
  const slowly = () => {
    time += bffLimits.latestMessagesTime;
    return time;
  };
  const found = await list.read("b", slowly);
  expect(found).toMatchObject({ starts: ["b"], nextCursor: null });
  expect(found.items).toHaveLength(10);
});

test("reports an error at the second page, before the order of the pages is known", async () => {
  const reading = readLatestMessages({
    cursor: null,
    async list(start) {
      if (start !== null) throw new ChatApiError("rate_limited");
      return { items: [aMessage()], nextCursor: "a" };
    },
  });
  await expect(reading).rejects.toMatchObject({ code: "rate_limited" });
});
