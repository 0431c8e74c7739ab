import { expect, onTestFinished, test, vi } from "vitest";
import { createTabs } from "../tabs/tabs.ts";
import { createSession } from "./session.ts";

function testTabs() {
  const tabs = createTabs();
  onTestFinished(() => tabs.close());
  return tabs;
}

test("a session start times out if the server never answers", async () => {
  const tabs = testTabs();
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  // Like a fetch that never gets a response.
  vi.stubGlobal("fetch", (_address: string, { signal }: RequestInit) => {
    const { promise, reject } = Promise.withResolvers<never>();
    signal?.addEventListener("abort", () => reject(signal.reason));
    return promise;
  });
  const session = createSession(tabs, "/chat");
  const started = session.start();
  await expect.poll(() => timeout.mock.calls.length, { timeout: 1_000 }).toBe(1);
  expect(timeout.mock.calls[0]?.[0]).toBeLessThanOrEqual(60_000);
  patience.abort(new DOMException("No answer came.", "TimeoutError"));
  await expect(started).rejects.toThrow("No answer came.");
  // A failed start holds no request back.
  expect(await stateOf(session.settled())).toBe("settled");
});

/** Whether a promise has settled once all pending microtasks have run. */
function stateOf(promise: Promise<unknown>): Promise<"settled" | "pending"> {
  const later = new Promise<"pending">((resolve) => setImmediate(() => resolve("pending")));
  return Promise.race([promise.then(() => "settled" as const), later]);
}

/** Leaves the answer to each session start to the test. Late reads of other tests' pages get no answer. */
function stubSessionServer(answers: ((response: Response) => void)[]): void {
  vi.stubGlobal(
    "fetch",
    (address: string) =>
      new Promise<Response>((resolve) => void (address === "/chat/session" && answers.push(resolve))),
  );
}

test("holds requests back until the latest of several session starts ends", async () => {
  const tabs = testTabs();
  const answers: ((response: Response) => void)[] = [];
  stubSessionServer(answers);
  const session = createSession(tabs, "/chat");
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

test("tells listeners the caller before any request goes out in that name", async () => {
  const tabs = testTabs();
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return Response.json({ item: { caller: "tag-of-42", customer: { id: "42", name: "Ada" } } });
  });
  const session = createSession(tabs, "/chat");
  expect(session.caller()).toBeNull();
  const told: string[] = [];
  session.onCaller(({ tag }) => told.push(`heard ${tag}`));
  const started = session.start();
  const settled = session.settled().then(() => told.push("requests"));
  await started;
  await settled;
  expect(told).toEqual(["heard tag-of-42", "requests"]);
  expect(session.caller()).toEqual({ tag: "tag-of-42", isGuest: false });
  expect(asked).toEqual(["/chat/session"]);
});

function storedInBrowser(stored: Readonly<Record<string, string>>) {
  const area = Object.assign(
    Object.create({
      getItem: (name: string) => area[name] ?? null,
      setItem: (name: string, value: string) => void Object.assign(area, { [name]: value }),
      removeItem: (name: string) => void delete area[name],
    }),
    stored,
  );
  vi.stubGlobal("window", { localStorage: area });
  return area;
}

test("moves a customer's stored data when the server names the customer anew", async () => {
  const stored = {
    "shop-chat:1:old-tag:draft:chat_1": "Hello",
    "shop-chat:1:old-tag:chat:chat_1": "1",
    "shop-chat:1:old-tag:chat:chat_2": "2",
    "shop-chat:1:new-tag:chat:chat_2": "3",
    "shop-chat:1:guest:chat:chat_3": "4",
  };
  const area = storedInBrowser(stored);
  const item = { caller: "new-tag", formerCallers: ["old-tag"], customer: { id: "42", name: "Ada" } };
  vi.stubGlobal("fetch", async () => Response.json({ item }));
  await createSession(testTabs(), "/chat").start();
  expect({ ...area }).toEqual({
    "shop-chat:1:new-tag:draft:chat_1": "Hello",
    "shop-chat:1:new-tag:chat:chat_1": "1",
    "shop-chat:1:new-tag:chat:chat_2": "3",
    "shop-chat:1:guest:chat:chat_3": "4",
  });
});

test("gives a guest's stored chats to the customer whom the server lets follow them", async () => {
  const area = storedInBrowser({
    "shop-chat:1:guest:chat:chat_1": "1",
    "shop-chat:1:guest:current": "chat_1",
    "shop-chat:1:tag:current": "chat_2",
  });
  const item = { caller: "tag", formerCallers: [], customer: { id: "42", name: "Ada" }, followsGuest: true };
  vi.stubGlobal("fetch", async () => Response.json({ item }));
  await createSession(testTabs(), "/chat").start();
  expect({ ...area }).toEqual({
    "shop-chat:1:tag:chat:chat_1": "1",
    "shop-chat:1:tag:current": "chat_1",
  });
});

test("a refused session start rejects with the server's code and leaves the caller unknown", async () => {
  const tabs = testTabs();
  vi.stubGlobal("fetch", async () => Response.json({ error: { code: "rate_limited" } }, { status: 429 }));
  const session = createSession(tabs, "/chat");
  await expect(session.start()).rejects.toMatchObject({ code: "rate_limited" });
  expect(session.caller()).toBeNull();
});

test("two tabs start their sessions one after the other, so that they become one guest", async () => {
  const answers: ((response: Response) => void)[] = [];
  stubSessionServer(answers);
  const tabs = [createTabs(), createTabs()];
  onTestFinished(() => {
    for (const tab of tabs) tab.close();
  });
  const starts = tabs.map((tab) => createSession(tab, "/chat").start());
  await expect.poll(() => answers.length).toBe(1);
  await new Promise(setImmediate);
  expect(answers).toHaveLength(1);
  const answer = () => Response.json({ item: { caller: "a-guest", customer: null } });
  answers[0]?.(answer());
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(answer());
  await Promise.all(starts);
});
