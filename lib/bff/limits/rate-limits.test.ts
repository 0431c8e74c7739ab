import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { bffLimits } from "../configuration/limits.ts";
import type { Customer } from "../session/customer.ts";
import { hostilePeer, newGuest, ownBff, signedIn } from "../testing/hostile-set-up.ts";
import { errorBody } from "../testing/hostile-upstream.ts";
import { startRedisPeer } from "../testing/redis-peer.ts";
import type { TestBff, TestBrowser } from "../testing/test-bff.ts";
import type { CallerAddress } from "./caller-address.ts";

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
  return ownBff({ ...environment, ...more }, { isLimited: true, clock, limits: { rates } });
}

/** The limits that have refused a request, each once. */
const limitsIn = (t: TestBff) => [
  ...new Set(t.lines.map(({ limitedBy }) => limitedBy).filter((name) => name !== undefined)),
];

const times = (count: number) => Array.from({ length: count });

test("limits a session to ten chats a minute with Retry-After; other sessions go on", async () => {
  const t = limited();
  const [one, other] = [await newGuest(t), await newGuest(t)];
  for (const _ of times(10)) expect((await one.post("/api/chat/chats", {})).status).toBe(201);
  const refusal = await one.post("/api/chat/chats", {});
  expect(refusal.status).toBe(429);
  const { error } = await refusal.json();
  expect(error.code).toBe("rate_limited");
  expect(error.retryAfterSeconds).toBeGreaterThan(0);
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
  expect(refusal.headers.get("retry-after")).toBe(String(error.retryAfterSeconds));
  expect((await other.post("/api/chat/chats", {})).status).toBe(201);
  expect(upstream.seen).toHaveLength(11);
});

test("rounds Retry-After up so that a caller who waits is admitted", async () => {
  let now = Date.now();
  const t = limited({}, () => now);
  const browser = await newGuest(t);
  for (const _ of times(10)) await browser.post("/api/chat/chats", {});
  now += 500;
  expect((await browser.post("/api/chat/chats", {})).headers.get("retry-after")).toBe("60");
  now += 59_000;
  expect((await browser.post("/api/chat/chats", {})).headers.get("retry-after")).toBe("1");
});

test("gives no new allowance for a forged X-Forwarded-For", async () => {
  const chats = async (t: TestBff, address: () => string) => {
    const statuses: number[] = [];
    for (const _ of times(32)) {
      const browser = await newGuest(t);
      statuses.push((await browser.post("/api/chat/chats", {}, { "x-forwarded-for": address() })).status);
    }
    return statuses.filter((status) => status === 201).length;
  };
  const random = () => `${Math.floor(Math.random() * 256)}.6.6.6`;
  // Without trusted proxies the header is ignored: each session only has its own limits.
  expect(await chats(limited(), () => "203.0.113.9")).toBe(32);
  // Behind one proxy the proxy's entry counts, whatever the caller has written before it.
  const hops = { TRUST_PROXY_HOPS: "1" };
  expect(await chats(limited(hops), () => `${random()}, 203.0.113.9`)).toBe(30);
  expect(await chats(limited(hops), random)).toBe(32);
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

/** Lets 310 of these sessions read once. Returns how many of the reads are admitted. */
async function readsOfSessions(
  { bff }: TestBff,
  of: { startedAt: number; customer: Customer | null },
  address?: CallerAddress,
): Promise<number> {
  const request = new Request("https://shop.example/api/chat/chats/chat_9999/messages/latest");
  const outcomes = await Promise.allSettled(
    times(310).map((_, at) => {
      const session = { ...of, id: `${address?.site}-${of.startedAt}-${at}`, userId: "guest-12345" };
      return bff.rateLimits.consume("latest", { request, session, address });
    }),
  );
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

test("gives an address that may be a proxy half of the total allowance", async () => {
  const t = limited();
  const readsFrom = (site: string, startedAt: number, customer: Customer | null = null) =>
    readsOfSessions(t, { startedAt, customer }, { host: site, site, isShared: true });
  const now = Date.now();
  // Half of 300; newcomers get three quarters of that, guests seven eighths.
  expect(await readsFrom("127.0.0.1", now)).toBe(113);
  expect(await readsFrom("127.0.0.1", now - bffLimits.newcomerTime)).toBe(132 - 113);
  expect(await readsFrom("127.0.0.1", 0, { id: "42", name: "Ada" })).toBe(150 - 132);
  expect(await readsFrom("10.0.0.7", now)).toBe(225 - 113);
});

test("reserves parts of the total allowance for established sessions and for customers", async () => {
  let now = Date.now();
  const t = limited({}, () => now);
  const before = await guestsAt(t, "", 20);
  now += bffLimits.newcomerTime - 1;
  const almost = await guestsAt(t, "", 1);
  now += 1;
  expect(await readsOf([...(await guestsAt(t, "", 31)), ...almost], 10)).toBe(225);
  expect(await readsOf(before, 10)).toBe(263 - 225);
  const customers = await Promise.all(times(5).map((_, at) => signedIn(t, `customer-${at}`)));
  expect(await readsOf(customers, 10)).toBe(300 - 263);
  const holders = ["everyone-newcomers", "everyone-guests", "everyone"];
  expect(limitsIn(t)).toEqual(holders.map((holder) => `latest:${holder}:60`));
});

test("reserves nothing for customers in a shop without a sign-in", async () => {
  const options = { isLimited: true, customerOf: undefined, limits: { rates } };
  const t = ownBff(environment, options);
  expect(await readsOfSessions(t, { startedAt: 0, customer: null })).toBe(300);
});

test("spreads MAX_CHATS_PER_DAY over the day and reserves a part for customers", async () => {
  let now = Date.now();
  const t = limited({ MAX_CHATS_PER_DAY: "40" }, () => now);
  /** One chat each of this many new guests, or of this many customers. Returns how many are admitted. */
  const chatsOf = async (browsers: readonly TestBrowser[]) => {
    const responses = await Promise.all(browsers.map((browser) => browser.post("/api/chat/chats", {})));
    const waits = responses.map((response) => Number(response.headers.get("retry-after")));
    expect(Math.max(...waits)).toBeLessThanOrEqual(3_600);
    return responses.filter(({ status }) => status === 201).length;
  };
  const guests = (count: number) => guestsAt(t, "", count);
  const customers = (count: number) =>
    Promise.all(times(count).map((_, at) => signedIn(t, `customer-${now}-${at}`)));
  // Ten chats an hour; newcomers get eight, guests nine.
  expect(await chatsOf(await guests(12))).toBe(8);
  expect(limitsIn(t)).toContain("createChat:everyone-newcomers:3600");
  expect(await chatsOf(await customers(4))).toBe(2);
  let inTheDay = 10;
  for (let hour = 1; hour < 23; hour += 1) {
    now += 3_600_000;
    inTheDay += await chatsOf(await guests(12));
  }
  // Newcomers get thirty of forty chats. Customers have their own.
  expect(inTheDay).toBe(30 + 2);
  expect(limitsIn(t)).toContain("createChat:everyone-newcomers:86400");
  now += 3_600_000;
  expect(await chatsOf(await customers(12))).toBe(8);
});

test("limits an address before the host is asked for the caller", async () => {
  let calls = 0;
  const rates = { identify: { perSession: [], perAddress: [{ calls: 20, seconds: 60 }], everyone: [] } };
  const t = ownBff(
    { ...environment, ...proxied },
    {
      limits: { rates },
      async customerOf() {
        calls += 1;
        return null;
      },
    },
  );
  const flood = t.browser();
  const from = (address: string) =>
    flood.get("/api/chat/chats/chat_9999", { "x-forwarded-for": address }).then(({ status }) => status);
  const statuses = await Promise.all(times(50).map(() => from("203.0.113.9")));
  expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  expect(calls).toBe(20);
  expect(limitsIn(t)).toEqual(["identify:address:60"]);
  expect(await from("203.0.113.10")).toBe(401);
});

async function withRedisPeer() {
  const redis = await startRedisPeer();
  onTestFinished(() => redis.close());
  const t = limited({ ...proxied, REDIS_URL: redis.url });
  const [guest, other] = await guestsAt(t, "2001:db8:1:2::1", 2);
  if (guest === undefined || other === undefined) throw new Error("expected two guests");
  // Until Redis is connected, each process counts alone.
  await vi.waitFor(async () => {
    await guest.get("/api/chat/chats/chat_9999");
    expect(redis.calls).not.toEqual([]);
  }, 10_000);
  redis.calls.length = 0;
  return { redis, t, guest, other };
}

test("counts a request in one Redis command with a key for each bucket", async () => {
  const { redis, guest } = await withRedisPeer();
  // Nothing limits health checks.
  await guest.get("/api/chat/health/live");
  expect((await guest.post("/api/chat/chats", {})).status).toBe(201);
  expect(redis.calls).toHaveLength(1);
  const names = redis.calls.flat().map((key) => key.split(":").slice(0, -1).join(":"));
  const reserves = (limit: string, seconds: number) =>
    ["everyone-newcomers", "everyone-guests", "everyone"].map(
      (holder) => `chat:${limit}:${holder}:${seconds}`,
    );
  expect(names).toEqual([
    "chat:admitted",
    "chat:createChat:session:60",
    "chat:createChat:session:86400",
    ...[60, 3_600, 86_400].flatMap((seconds) => [
      `chat:createChat:address:${seconds}`,
      `chat:createChat:site:${seconds}`,
    ]),
    ...[60, 3_600, 86_400].flatMap((seconds) => reserves("createChat", seconds)),
    "chat:send:session:60",
    "chat:send:address:60",
    "chat:send:site:60",
    ...reserves("send", 60),
  ]);
  for (const key of redis.calls.flat()) expect(key).toMatch(/:[\w-]{22}$/);
});

test("counts in the process while Redis does not answer, and waits for it once", async () => {
  const { redis, t, guest, other } = await withRedisPeer();
  redis.fallSilent();
  for (const _ of times(10)) expect((await guest.post("/api/chat/chats", {})).status).toBe(201);
  expect((await guest.post("/api/chat/chats", {})).status).toBe(429);
  expect((await other.post("/api/chat/chats", {})).status).toBe(201);
  expect(redis.unanswered).toEqual(["eval"]);
  expect(t.lines.filter(({ event }) => event === "redis_unreachable")).toHaveLength(1);
});

test("counts a chat once while it is retried against a busy Chat API", async () => {
  const t = limited();
  const browser = await newGuest(t);
  const key = { "idempotency-key": "one-press-of-send" };
  upstream.respond("POST /chats", 429, errorBody("capacity_limited", { retryAfterSeconds: 10 }));
  // The first attempt, three automatic ones, and a few presses of the button.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const refusal = await browser.post("/api/chat/chats", {}, key);
    expect((await refusal.json()).error.code).toBe("capacity_limited");
  }
  const statuses = await Promise.all(
    times(11).map(async () => (await browser.post("/api/chat/chats", {})).headers.get("retry-after")),
  );
  // Nine more chats are allowed; the tenth exceeds our limit.
  expect(statuses.filter((seconds) => Number(seconds) > 20)).toHaveLength(2);
});

test("does not treat the retry of a chat refused by the limit as a repetition", async () => {
  const t = limited();
  const browser = await newGuest(t);
  for (const _ of times(10)) expect((await browser.post("/api/chat/chats", {})).status).toBe(201);
  const key = { "idempotency-key": "the-eleventh-chat" };
  for (const _ of times(3)) expect((await browser.post("/api/chat/chats", {}, key)).status).toBe(429);
  expect(upstream.seen).toHaveLength(10);
});

test("limits repetitions, and counts each customer's keys separately", async () => {
  const t = limited();
  const [browser, other] = [await newGuest(t), await newGuest(t)];
  const create = async (who: TestBrowser, key: string) =>
    (await who.post("/api/chat/chats", {}, { "idempotency-key": key })).status;
  const repeated = [];
  for (const _ of times(40)) repeated.push(await create(browser, "the-same-key"));
  expect(repeated.filter((status) => status === 429)).toHaveLength(40 - 31);
  expect(await create(other, "the-same-key")).toBe(201);
  for (let at = 2; at <= 10; at += 1) expect(await create(other, `key-${at}-of-ten`)).toBe(201);
  expect(await create(other, "the-eleventh-key")).toBe(429);
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
