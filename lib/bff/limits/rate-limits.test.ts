import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { bffLimits } from "../configuration/limits.ts";
import { hostilePeer, newGuest, ownBff, ownerOfChat, signedIn } from "../testing/hostile-set-up.ts";
import { errorBody } from "../testing/hostile-upstream.ts";
import { startRedisPeer } from "../testing/redis-peer.ts";
import type { TestBff, TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
beforeEach(() => {
  upstream.createsChats();
});

/** Smaller numbers than the table's, for tests of how limits are shared. */
const rates = {
  latest: {
    perSession: [{ calls: 10, seconds: 60 }],
    perAddress: [{ calls: 30, seconds: 60 }],
    everyone: [{ calls: 300, seconds: 60 }],
  },
};

/** A BFF that applies all limits, until the end of the test. */
function limited(more: Record<string, string> = {}, clock: () => number = Date.now): TestBff {
  const t = ownBff({ ...environment, ...more }, { isLimited: true, clock, limits: { rates } });
  return t;
}

const times = (count: number) => Array.from({ length: count });

test("limits a session to three chats a minute with Retry-After; other sessions go on", async () => {
  const t = limited();
  const [one, other] = [await newGuest(t), await newGuest(t)];
  for (const _ of times(3)) expect((await one.post("/api/chat/chats", {})).status).toBe(201);
  const refused = await one.post("/api/chat/chats", {});
  expect(refused.status).toBe(429);
  const { error } = await refused.json();
  expect(error.code).toBe("rate_limited");
  expect(error.retryAfterSeconds).toBeGreaterThan(0);
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
  expect(refused.headers.get("retry-after")).toBe(String(error.retryAfterSeconds));
  expect((await other.post("/api/chat/chats", {})).status).toBe(201);
  expect(upstream.seen).toHaveLength(4);
});

test("rounds Retry-After up so that a caller who waits is admitted", async () => {
  const t = limited();
  const browser = await newGuest(t);
  vi.useFakeTimers({ toFake: ["Date"] });
  for (const _ of times(3)) await browser.post("/api/chat/chats", {});
  vi.setSystemTime(Date.now() + 500);
  expect((await browser.post("/api/chat/chats", {})).headers.get("retry-after")).toBe("60");
  vi.setSystemTime(Date.now() + 59_000);
  expect((await browser.post("/api/chat/chats", {})).headers.get("retry-after")).toBe("1");
});

test("gives no new allowance for a forged X-Forwarded-For", async () => {
  const chats = async (t: TestBff, address: () => string) => {
    const statuses: number[] = [];
    for (const _ of times(12)) {
      const browser = await newGuest(t);
      statuses.push((await browser.post("/api/chat/chats", {}, { "x-forwarded-for": address() })).status);
    }
    return statuses.filter((status) => status === 201).length;
  };
  const random = () => `${Math.floor(Math.random() * 256)}.6.6.6`;
  // Without trusted proxies the header is ignored: each session only has its own limits.
  expect(await chats(limited(), () => "203.0.113.9")).toBe(12);
  // Behind one proxy the proxy's entry counts, whatever the caller has written before it.
  const hops = { TRUST_PROXY_HOPS: "1" };
  expect(await chats(limited(hops), () => `${random()}, 203.0.113.9`)).toBe(10);
  expect(await chats(limited(hops), random)).toBe(12);
});

/** This many guests with a session, who call from this address. */
async function guestsAt(t: TestBff, address: string, count: number): Promise<TestBrowser[]> {
  return Promise.all(
    times(count).map(async () => {
      const guest = t.browser();
      const at = { "x-forwarded-for": address };
      // Without the header, because session starts have a limit per address.
      await guest.start();
      return {
        ...guest,
        post: (path, body, headers) => guest.post(path, body, { ...at, ...headers }),
        get: (path, headers) => guest.get(path, { ...at, ...headers }),
      };
    }),
  );
}

/** Lets each guest read this many times. Returns how many of all reads are answered. */
async function readsOf(guests: readonly TestBrowser[], each: number): Promise<number> {
  const statuses = await Promise.all(
    guests.flatMap((guest) =>
      times(each).map(async () => (await guest.get("/api/chat/chats/chat_9999/messages/latest")).status),
    ),
  );
  expect(statuses.filter((status) => status !== 404 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 404).length;
}

const proxied = { TRUST_PROXY_HOPS: "1" };

test("limits 31 guests of one address to its allowance; others go on", async () => {
  const t = limited(proxied);
  expect(await readsOf(await guestsAt(t, "198.51.100.4", 31), 10)).toBe(30);
  expect(await readsOf(await guestsAt(t, "198.51.100.5", 1), 10)).toBe(10);
  expect(t.lines.filter(({ limitedBy }) => limitedBy === "latest:address:60")).toHaveLength(280);
});

test("counts an IPv6 /64 prefix as one address and a /48 prefix as four", async () => {
  const t = limited(proxied);
  const guests = await Promise.all(
    times(31).map((_, at) => guestsAt(t, `2001:db8:1:${at.toString(16)}::1`, 1)),
  );
  expect(await readsOf(guests.flat(), 10)).toBe(120);
  expect(await readsOf(await guestsAt(t, "2001:db8:2::1", 4), 10)).toBe(30);
  expect(await readsOf(await guestsAt(t, "2001:db8:2::2", 4), 10)).toBe(0);
});

test("gives an address that may be a proxy half of the total allowance", async () => {
  const { bff } = limited();
  const request = new Request("https://shop.example/api/chat/chats/chat_9999/messages/latest");
  const readsFrom = async (site: string, startedAt: number) => {
    const address = { host: site, site, isShared: true };
    const outcomes = await Promise.allSettled(
      times(310).map((_, at) => {
        const session = {
          id: `${site}-${startedAt}-${at}`,
          userId: "guest-12345",
          startedAt,
          customer: null,
        };
        return bff.rateLimits.consume("latest", { request, session, address });
      }),
    );
    return outcomes.filter(({ status }) => status === "fulfilled").length;
  };
  const now = Date.now();
  // Half of 300; newcomers get three quarters of that.
  expect(await readsFrom("127.0.0.1", now)).toBe(113);
  expect(await readsFrom("127.0.0.1", now - bffLimits.newcomerTime)).toBe(150 - 113);
  expect(await readsFrom("10.0.0.7", now)).toBe(225 - 113);
});

test("reserves a quarter of the total allowance for established sessions", async () => {
  let now = Date.now();
  const t = limited({}, () => now);
  const before = await guestsAt(t, "", 20);
  now += bffLimits.newcomerTime - 1;
  const almost = await guestsAt(t, "", 1);
  now += 1;
  expect(await readsOf([...(await guestsAt(t, "", 31)), ...almost], 10)).toBe(225);
  expect(await readsOf(before, 10)).toBe(75);
  expect(t.lines.some(({ limitedBy }) => limitedBy === "latest:everyone-newcomers:60")).toBe(true);
  expect(t.lines.some(({ limitedBy }) => limitedBy === "latest:everyone:60")).toBe(true);
});

test("limits the chats of all customers in a day to MAX_CHATS_PER_DAY", async () => {
  const t = limited({ MAX_CHATS_PER_DAY: "8" });
  const statuses: number[] = [];
  for (const guest of await guestsAt(t, "", 10)) {
    statuses.push((await guest.post("/api/chat/chats", {})).status);
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(6);
  const [late] = await guestsAt(t, "", 1);
  const refused = await late?.post("/api/chat/chats", {});
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3_600);
  expect(t.lines.at(-1)).toMatchObject({ limitedBy: "createChat:everyone-newcomers:86400" });
});

test("uses a Redis key for each bucket", async () => {
  const redis = await startRedisPeer();
  onTestFinished(() => redis.close());
  const t = limited({ ...proxied, REDIS_URL: redis.url });
  const [guest] = await guestsAt(t, "2001:db8:1:2::1", 1);
  // Until Redis is connected, each process counts alone.
  await vi.waitFor(async () => {
    await guest?.get("/api/chat/chats/chat_9999");
    expect(redis.keys).not.toEqual([]);
  }, 10_000);
  redis.keys.length = 0;
  expect((await guest?.post("/api/chat/chats", {}))?.status).toBe(201);
  const names = redis.keys.map((key) => key.split(":").slice(0, -1).join(":"));
  expect(names).toEqual([
    "chat:createChat:session:60",
    "chat:createChat:session:86400",
    "chat:createChat:address:60",
    "chat:createChat:site:60",
    "chat:createChat:address:86400",
    "chat:createChat:site:86400",
    "chat:createChat:everyone-newcomers:60",
    "chat:createChat:everyone:60",
    "chat:createChat:everyone-newcomers:86400",
    "chat:createChat:everyone:86400",
  ]);
  for (const key of redis.keys) expect(key).toMatch(/:[\w-]{22}$/);
});

test("counts in the process while Redis does not answer, and waits for it once", async () => {
  const redis = await startRedisPeer();
  onTestFinished(() => redis.close());
  const t = limited({ ...proxied, REDIS_URL: redis.url });
  const [guest, other] = await guestsAt(t, "2001:db8:1:2::1", 2);
  await vi.waitFor(async () => {
    await guest?.get("/api/chat/chats/chat_9999");
    expect(redis.keys).not.toEqual([]);
  }, 10_000);
  redis.fallSilent();
  // Each request counts in ten buckets, and its idempotency key is remembered.
  for (const _ of times(3)) expect((await guest?.post("/api/chat/chats", {}))?.status).toBe(201);
  expect((await guest?.post("/api/chat/chats", {}))?.status).toBe(429);
  expect((await other?.post("/api/chat/chats", {}))?.status).toBe(201);
  // Redis received the `exec` of the first look-up and no script of a bucket.
  expect(redis.unanswered.filter((name) => /^(?:exec|evalsha)$/.test(name))).toEqual(["exec"]);
  expect(t.lines.filter(({ event }) => event === "redis_unreachable")).toHaveLength(1);
});

test("creates chats only on POST and only up to the limit", async () => {
  const t = limited();
  const browser = await newGuest(t);
  for (const path of ["/api/chat/chats", "/api/chat/health/live"]) await browser.get(path);
  await browser.send("/api/chat/chats", { method: "HEAD" });
  expect(upstream.seen).toEqual([]);
  const created = await Promise.all(
    times(100).map(async () => (await browser.post("/api/chat/chats", {})).status),
  );
  expect(created.filter((status) => status === 201)).toHaveLength(3);
  expect(upstream.seen).toHaveLength(3);
});

test("counts a chat once while it is retried against a busy Chat API", async () => {
  const t = limited();
  const browser = await newGuest(t);
  const key = { "idempotency-key": "one-press-of-send" };
  upstream.answer("POST /chats", 429, errorBody("capacity_limited", { retryAfterSeconds: 10 }));
  // The first attempt, three automatic ones, and a few presses of the button.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const refused = await browser.post("/api/chat/chats", {}, key);
    expect((await refused.json()).error.code).toBe("capacity_limited");
  }
  const statuses = await Promise.all(
    times(4).map(async () => (await browser.post("/api/chat/chats", {})).headers.get("retry-after")),
  );
  // Two more chats are allowed; the third exceeds our limit.
  expect(statuses.filter((seconds) => Number(seconds) > 20)).toHaveLength(2);
});

test("does not treat the retry of a chat refused by the limit as a repetition", async () => {
  const t = limited();
  const browser = await newGuest(t);
  for (const _ of times(3)) expect((await browser.post("/api/chat/chats", {})).status).toBe(201);
  const key = { "idempotency-key": "the-fourth-chat" };
  for (const _ of times(3)) expect((await browser.post("/api/chat/chats", {}, key)).status).toBe(429);
  expect(upstream.seen).toHaveLength(3);
});

test("limits repetitions, and counts each customer's keys separately", async () => {
  const t = limited();
  const [browser, other] = [await newGuest(t), await newGuest(t)];
  const create = async (who: TestBrowser, key: string) =>
    (await who.post("/api/chat/chats", {}, { "idempotency-key": key })).status;
  const repeated = [];
  for (const _ of times(40)) repeated.push(await create(browser, "the-same-key"));
  expect(repeated.filter((status) => status === 429)).toHaveLength(40 - 31);
  for (const key of ["the-same-key", "key-2222", "key-3333"]) expect(await create(other, key)).toBe(201);
  expect(await create(other, "key-4444")).toBe(429);
});

test("limits a flood of new sessions, and serves health checks and existing sessions", async () => {
  const t = limited();
  const [guest, customer] = [t.browser(), await signedIn(t)];
  await guest.start();
  const statuses = await Promise.all(
    times(1_500).map(async () => (await t.browser().get("/api/chat/health/live")).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  const started = await Promise.all(times(1_300).map(async () => (await t.browser().start()).status));
  // A quarter of the 1,200 is reserved for established sessions. One of the other 900 is the guest above.
  expect(started.filter((status) => status === 201)).toHaveLength(899);
  expect(upstream.seen).toEqual([]);
  // Customers with a session or a sign-in are served, whatever others do.
  for (const there of [guest, customer]) {
    expect((await there.start()).status).toBe(200);
    expect((await there.get("/api/chat/chats/chat_9999")).status).toBe(404);
  }
});

test("does not call the Chat API for requests over the limit", async () => {
  const t = limited();
  // Starting the session counts, too.
  const browser = await ownerOfChat(t, upstream);
  const statuses = await Promise.all(
    times(300).map(async () => (await browser.get("/api/chat/chats/chat_0001")).status),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(239);
  expect(statuses.filter((status) => status === 429)).toHaveLength(61);
});
