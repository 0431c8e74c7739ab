/**
 * Message lists that loop, never end, forget their cursors or list newer pages first. The BFF finds the end
 * of the chat or stops at a limit.
 */
import { beforeEach, expect, test, vi } from "vitest";
import { bffLimits } from "../configuration/limits.ts";
import { bffOfTest, hostilePeer, signedIn } from "../testing/hostile-set-up.ts";
import { aMessage, errorBody, json } from "../testing/hostile-upstream.ts";
import type { TestBff, TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
let t: TestBff;
let browser: TestBrowser;
beforeEach(async () => {
  ({ t, browser } = await bffOfTest(upstream, environment));
});

type Page = (cursor: string | null) => { items: object[]; nextCursor: string | null } | { code: string };

/** Answers the list with `page`. Returns the requested cursors. */
function list(page: Page): (string | null)[] {
  const cursors: (string | null)[] = [];
  upstream.on("GET /chats/chat_0001/messages", ({ url }, response) => {
    const cursor = new URL(url, upstream.channelUrl).searchParams.get("cursor");
    cursors.push(cursor);
    const next = page(cursor);
    if ("code" in next) json(response, next.code === "rate_limited" ? 429 : 410, errorBody(next.code));
    else json(response, 200, next);
  });
  return cursors;
}

const latest = async (query = "") => {
  const response = await browser.get(`/api/chat/chats/chat_0001/messages/before${query}`);
  return { status: response.status, body: await response.json() };
};
const messageAt = (index: number) =>
  aMessage({ id: `msg_${index}`, text: `${index}`, createdAt: new Date(1e12 + index * 1_000).toISOString() });

test.each([
  ["too long", "a".repeat(2_049)],
  ["empty", ""],
  ["of other characters", "a b"],
  ["a way out", "../../x?y=1#"],
])("treats a cursor that is %s as a breach of the contract and does not forward it", async (_, cursor) => {
  const cursors = list((at) => ({ items: [messageAt(1)], nextCursor: at === null ? cursor : null }));
  for (const path of ["", "/before"]) {
    const response = await browser.get(`/api/chat/chats/chat_0001/messages${path}`);
    expect([response.status, (await response.json()).error.code]).toEqual([502, "upstream_unreachable"]);
  }
  expect(new Set(cursors)).toEqual(new Set([null]));
  expect(t.lines).toContainEqual(expect.objectContaining({ event: "contract_breach", kind: "shape" }));
});

test("follows an endless list for a limited number of pages, then continues from there", async () => {
  const cursors = list((cursor) => {
    const at = Number(cursor ?? 0);
    return { items: [messageAt(at)], nextCursor: `${at + 1}` };
  });
  const { status, body } = await latest();
  expect([status, body.error.code]).toEqual([503, "service_unavailable"]);
  expect(cursors.length).toBeLessThanOrEqual(bffLimits.searchPages);
  const before = cursors.length;
  await latest();
  expect(cursors[before]).toBe(cursors[before - 1]);
});

test("hides the latest messages from strangers and rejects an overlong cursor", async () => {
  const cursors = list(() => ({ items: [messageAt(1)], nextCursor: null }));
  expect((await latest(`?cursor=${"a".repeat(2_049)}`)).status).toBe(400);
  browser = await signedIn(t, "lukas-brandt");
  expect((await latest()).status).toBe(404);
  browser = t.browser();
  expect((await latest()).status).toBe(401);
  expect(cursors).toEqual([]);
});

test("recognises a list whose next pages contain older messages", async () => {
  const cursors = list((cursor) => ({
    items: cursor === null ? [messageAt(8), messageAt(9)] : [messageAt(6), messageAt(7)],
    nextCursor: cursor === null ? "older" : null,
  }));
  const { body } = await latest();
  expect(body.items.map(({ text }: { text: string }) => text)).toEqual(["6", "7", "8", "9"]);
  expect(body.nextCursor).toBeNull();
  expect(new Set(cursors)).toEqual(new Set([null, "older"]));
});

test("continues behind the pages that were read before an error", async () => {
  let isRefusing = true;
  const cursors = list((cursor) =>
    cursor === "3" && isRefusing
      ? { code: "rate_limited" }
      : { items: [messageAt(Number(cursor))], nextCursor: cursor === "3" ? null : `${Number(cursor) + 1}` },
  );
  const { status, body } = await latest();
  expect([status, body.error.code]).toEqual([429, "rate_limited"]);
  isRefusing = false;
  const before = cursors.length;
  expect((await latest()).body.items).toHaveLength(4);
  expect(cursors[before]).toBe("2");
});

test("stops following the pages when the browser leaves", async () => {
  const leaving = new AbortController();
  const cursors = list((cursor) => {
    const at = Number(cursor ?? 0);
    if (at === 5) leaving.abort();
    return { items: [messageAt(at)], nextCursor: `${at + 1}` };
  });
  // The BFF still creates a response, which nobody receives, and logs no kind.
  const response = await browser.send("/api/chat/chats/chat_0001/messages/before", {
    signal: leaving.signal,
  });
  expect(response.status).toBe(499);
  expect(t.lines.filter(({ event }) => event === "unexpected_error")).toEqual([]);
  expect(t.lines.at(-1)).toMatchObject({ event: "request", status: 499, outcome: "left" });
  const after = cursors.length;
  expect(after).toBeLessThan(10);
});

test("logs an internal error although the browser has left", async () => {
  const leaving = new AbortController();
  vi.spyOn(t.bff.ownership, "require").mockImplementation(async () => {
    leaving.abort();
    throw new TypeError("a kind of ours");
  });
  const response = await browser.send("/api/chat/chats/chat_0001/messages/before", {
    signal: leaving.signal,
  });
  expect(response.status).toBe(500);
  expect(t.lines.filter(({ event }) => event === "unexpected_error")).toHaveLength(1);
});
