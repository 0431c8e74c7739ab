import { expect, onTestFinished, test, vi } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import { createFailureOf } from "../failure.ts";
import { createStorages } from "../storage/storage.ts";
import { createTabs } from "../tabs/tabs.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { createSession, type NamedCustomer } from "./session.ts";

/** The session of a page whose requests `fetch` answers. */
function aSession(
  fetch: (address: string, init: RequestInit) => Promise<Response>,
  onCustomer: (customer: NamedCustomer) => void = () => undefined,
  api = "/chat",
) {
  const browser = memoryBrowser({ fetch });
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const tabs = createTabs(browser, defaultBasePath, closing.signal);
  const storages = createStorages(browser, defaultBasePath);
  const onEnd = () => undefined;
  const session = createSession({ browser, storages, tabs, api, onCustomer, onEnd });
  return { session, browser };
}

test("a session start times out if the server never answers", async () => {
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  // Like a fetch that never gets a response.
  const { session } = aSession((_address, { signal }) => {
    const { promise, reject } = Promise.withResolvers<never>();
    signal?.addEventListener("abort", () => reject(signal.reason));
    return promise;
  });
  const started = session.start();
  await expect.poll(() => timeout.mock.calls.length, { timeout: 1_000 }).toBe(1);
  expect(timeout.mock.calls[0]?.[0]).toBeLessThanOrEqual(60_000);
  patience.abort(new DOMException("No answer came.", "TimeoutError"));
  await expect(started).rejects.toThrow("No answer came.");
  // A failed start holds no request back.
  expect(await stateOf(session.settled())).toBe("settled");
});

test("takes a proxy's answer to a session start for a lost connection", async () => {
  for (const body of [
    "<html>",
    "null",
    '{"item":null}',
    '{"item":{"caller":7}}',
    '{"item":{"caller":"tag"}}',
  ]) {
    const { session } = aSession(async () => new Response(body));
    const failed = await session.start().catch(createFailureOf());
    expect(failed, body).toMatchObject({ code: "connection_lost" });
  }
});

test("refuses a chat server at another origin, to which browsers would let no request pass", async () => {
  const asked: string[] = [];
  const { session } = aSession(
    async (address) => {
      asked.push(address);
      throw new TypeError("Failed to fetch");
    },
    undefined,
    "https://api.shop.example/api/chat",
  );
  await expect(session.start()).rejects.toMatchObject({
    code: "request_not_allowed",
    message: expect.stringContaining("https://api.shop.example"),
  });
  expect(asked).toEqual([]);
});

/** Whether a promise has settled once all pending microtasks have run. */
function stateOf(promise: Promise<unknown>): Promise<"settled" | "pending"> {
  const later = new Promise<"pending">((resolve) => setImmediate(() => resolve("pending")));
  return Promise.race([promise.then(() => "settled" as const), later]);
}

/** Leaves the answer to each session start to the test. */
const leftTo = (answers: ((response: Response) => void)[]) => () =>
  new Promise<Response>((resolve) => void answers.push(resolve));

test("holds requests back until the latest of several session starts ends", async () => {
  const answers: ((response: Response) => void)[] = [];
  const { session } = aSession(leftTo(answers));
  expect(await stateOf(session.settled())).toBe("settled");

  const answer = () => Response.json({ item: { caller: "a-guest", customer: null } });
  const first = session.start();
  expect(await stateOf(session.settled())).toBe("pending");
  await expect.poll(() => answers.length).toBe(1);
  expect(await stateOf(session.settled())).toBe("pending");
  const second = session.start();
  answers[0]?.(answer());
  expect(await first).toEqual({ tag: "a-guest", isGuest: true });
  await expect.poll(() => answers.length).toBe(2);
  expect(await stateOf(session.settled())).toBe("pending");
  answers[1]?.(answer());
  await second;
  expect(await stateOf(session.settled())).toBe("settled");
});

test("tells the customer before any request goes out in that name", async () => {
  const asked: string[] = [];
  const told: string[] = [];
  const { session } = aSession(
    async (address) => {
      asked.push(address);
      return Response.json({ item: { caller: "tag-of-42", customer: { id: "42", name: "Ada" } } });
    },
    ({ tag }) => told.push(`heard ${tag}`),
  );
  expect(session.customer()).toBeNull();
  const started = session.start();
  const settled = session.settled().then(() => told.push("requests"));
  await started;
  await settled;
  expect(told).toEqual(["heard tag-of-42", "requests"]);
  expect(session.customer()).toEqual({ tag: "tag-of-42", isGuest: false });
  expect(asked).toEqual(["/chat/session"]);
});

/** The browser's entries after the server has named the customer like this. */
async function entriesAfter(item: object, before: Readonly<Record<string, string>>) {
  const { session, browser } = aSession(async () => Response.json({ item }));
  const { names, read, write } = browser.local;
  for (const [name, value] of Object.entries(before)) write(name, value);
  await session.start();
  return Object.fromEntries(names().map((name) => [name, read(name)]));
}

test("moves a customer's stored data when the server names the customer anew", async () => {
  const item = { caller: "new-tag", formerCallers: ["old-tag"], customer: { id: "42", name: "Ada" } };
  const before = {
    "shop-chat:1:old-tag:draft:chat_1": "Hello",
    "shop-chat:1:old-tag:chat:chat_1": "1",
    "shop-chat:1:old-tag:chat:chat_2": "2",
    "shop-chat:1:new-tag:chat:chat_2": "3",
    "shop-chat:1:guest:chat:chat_3": "4",
  };
  expect(await entriesAfter(item, before)).toEqual({
    "shop-chat:1:new-tag:draft:chat_1": "Hello",
    "shop-chat:1:new-tag:chat:chat_1": "1",
    "shop-chat:1:new-tag:chat:chat_2": "3",
    "shop-chat:1:guest:chat:chat_3": "4",
  });
});

test("gives a guest's stored chats to the customer whom the server lets follow them", async () => {
  const item = { caller: "tag", formerCallers: [], customer: { id: "42", name: "Ada" }, followsGuest: true };
  const before = {
    "shop-chat:1:guest:chat:chat_1": "1",
    "shop-chat:1:guest:current": "chat_1",
    "shop-chat:1:tag:current": "chat_2",
  };
  expect(await entriesAfter(item, before)).toEqual({
    "shop-chat:1:tag:chat:chat_1": "1",
    "shop-chat:1:tag:current": "chat_1",
  });
});

test("a refused session start rejects with the server's code and leaves the customer unknown", async () => {
  const { session } = aSession(async () =>
    Response.json({ error: { code: "rate_limited" } }, { status: 429 }),
  );
  await expect(session.start()).rejects.toMatchObject({ code: "rate_limited" });
  expect(session.customer()).toBeNull();
});

test("two tabs start their sessions one after the other, so that they become one guest", async () => {
  const answers: ((response: Response) => void)[] = [];
  const starts = [1, 2].map(() => aSession(leftTo(answers)).session.start());
  await expect.poll(() => answers.length).toBe(1);
  await new Promise(setImmediate);
  expect(answers).toHaveLength(1);
  const answer = () => Response.json({ item: { caller: "a-guest", customer: null } });
  answers[0]?.(answer());
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(answer());
  await Promise.all(starts);
});
