import { beforeEach, expect, test } from "vitest";
import { rateLimitTable } from "./rate-limits.ts";
import { hostilePeer, ownerOfChat, signedIn } from "./testing/hostile-set-up.ts";
import { aChat, errorBody, json } from "./testing/hostile-upstream.ts";
import { startTestBff, type TestBff, type TestBrowser } from "./testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
beforeEach(() => {
  upstream.on("POST /chats", ({ body }, answer) =>
    json(answer, 201, { item: aChat(JSON.parse(body).userId) }),
  );
});

async function limited<T>(run: (t: TestBff) => Promise<T>, more: Record<string, string> = {}): Promise<T> {
  const t = startTestBff({ ...environment, ...more }, { rateLimitTable });
  try {
    return await run(t);
  } finally {
    await t.stop();
  }
}

const times = (count: number) => Array.from({ length: count });

test("a session creates three chats a minute; the next is told when to come back, and others are not touched", () =>
  limited(async (t) => {
    const [one, other] = [t.browser(), t.browser()];
    await one.start();
    await other.start();
    for (const _ of times(3)) expect((await one.post("/api/chats", {})).status).toBe(201);
    const refused = await one.post("/api/chats", {});
    expect(refused.status).toBe(429);
    const { error } = await refused.json();
    expect(error.code).toBe("rate_limited");
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(refused.headers.get("retry-after")).toBe(String(error.retryAfterSeconds));
    expect((await other.post("/api/chats", {})).status).toBe(201);
    expect(upstream.seen).toHaveLength(4);
  }));

test("#25 addresses that the caller writes do not give new limits, with trusted proxies or without", async () => {
  const chats = async (t: TestBff, address: () => string) => {
    const statuses: number[] = [];
    for (const _ of times(12)) {
      const browser = t.browser();
      await browser.start();
      statuses.push((await browser.post("/api/chats", {}, { "x-forwarded-for": address() })).status);
    }
    return statuses.filter((status) => status === 201).length;
  };
  const random = () => `${Math.floor(Math.random() * 256)}.6.6.6`;
  // Without proxies of ours the header means nothing: each session has its own limits only.
  expect(await limited((t) => chats(t, () => "203.0.113.9"))).toBe(12);
  // Behind one proxy its entry counts, whatever the caller has written before it.
  const hops = { TRUST_PROXY_HOPS: "1" };
  expect(await limited((t) => chats(t, () => `${random()}, 203.0.113.9`), hops)).toBe(10);
  expect(await limited((t) => chats(t, random), hops)).toBe(12);
});

test("#34 a flood of new sessions is slowed, one session cannot flood, and nothing of it creates a chat", () =>
  limited(async (t) => {
    const statuses = await Promise.all(times(1_300).map(async () => (await t.browser().start()).status));
    expect(statuses.filter((status) => status === 201)).toHaveLength(1_200);
    expect(upstream.seen).toEqual([]);
  }));

test("#34 opening the widget reads; only the first message creates a chat, and no more than the limit", () =>
  limited(async (t) => {
    const browser = t.browser();
    await browser.start();
    for (const path of ["/api/session", "/api/chats", "/api/health/live"]) await browser.get(path);
    await browser.send("/api/chats", { method: "HEAD" });
    expect(upstream.seen).toEqual([]);
    const created = await Promise.all(
      times(100).map(async () => (await browser.post("/api/chats", {})).status),
    );
    expect(created.filter((status) => status === 201)).toHaveLength(3);
    expect(upstream.seen).toHaveLength(3);
  }));

test("a chat that the Chat API is too busy for is asked for again as the same chat: it counts once", () =>
  limited(async (t) => {
    const browser = t.browser();
    await browser.start();
    const key = { "idempotency-key": "one-press-of-send" };
    upstream.on("POST /chats", (_, answer) =>
      json(answer, 429, errorBody("capacity_limited", { retryAfterSeconds: 10 })),
    );
    // The first attempt, three by itself, and a few presses of the button.
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const refused = await browser.post("/api/chats", {}, key);
      expect((await refused.json()).error.code).toBe("capacity_limited");
    }
    const statuses = await Promise.all(
      times(4).map(async () => (await browser.post("/api/chats", {})).headers.get("retry-after")),
    );
    // Two more chats may be asked for; a third of them is one too many, by the limit of ours.
    expect(statuses.filter((seconds) => Number(seconds) > 20)).toHaveLength(2);
  }));

test("a repetition is limited, too, and another customer's key is no repetition", () =>
  limited(async (t) => {
    const [browser, other] = [t.browser(), t.browser()];
    await browser.start();
    await other.start();
    const create = async (who: TestBrowser, key: string) =>
      (await who.post("/api/chats", {}, { "idempotency-key": key })).status;
    const repeated = [];
    for (const _ of times(40)) repeated.push(await create(browser, "the-same-key"));
    expect(repeated.filter((status) => status === 429)).toHaveLength(40 - 31);
    for (const key of ["the-same-key", "key-2222", "key-3333"]) expect(await create(other, key)).toBe(201);
    expect(await create(other, "key-4444")).toBe(429);
  }));

test("nobody can use up what health checks or a sign-out need", () =>
  limited(async (t) => {
    const leaving = await signedIn(t);
    const statuses = await Promise.all(
      times(1_500).map(async () => (await t.browser().get("/api/health/live")).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await Promise.all(times(1_300).map(() => t.browser().start()));
    expect((await t.browser().start()).status).toBe(429);
    // Who has a session keeps it, says who they are and signs out, whatever others do.
    expect((await leaving.start()).status).toBe(200);
    expect((await leaving.get("/api/session")).status).toBe(200);
    expect((await leaving.send("/api/session", { method: "DELETE" })).status).toBe(204);
  }));

test("a request that is refused for its session, its origin or its limit never reaches the Chat API", () =>
  limited(async (t) => {
    const browser = await ownerOfChat(t, upstream);
    const statuses = await Promise.all(
      times(300).map(async () => (await browser.get("/api/chats/chat_0001")).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(240);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60);
  }));
