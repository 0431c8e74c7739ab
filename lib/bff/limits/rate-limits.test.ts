import { beforeEach, expect, test } from "vitest";
import type { Customer } from "../session/customer.ts";
import { hostilePeer, newGuest, ownBff, signedIn } from "../testing/hostile-set-up.ts";
import { errorBody } from "../testing/hostile-upstream.ts";
import type { TestBff, TestBrowser } from "../testing/test-bff.ts";
import { type CallCounts, createMemoryCounts } from "./call-counts.ts";
import type { CallerAddress } from "./caller-address.ts";
import { createRateLimits, rateLimitTable } from "./rate-limits.ts";

const { upstream, environment } = await hostilePeer();
beforeEach(() => {
  upstream.createsChats();
});

/** Smaller numbers than the table's, for tests of how limits are shared. */
const rates = {
  download: {
    perSession: [{ calls: 10, seconds: 60 }],
    perAddress: [{ calls: 30, seconds: 60 }],
    total: [{ calls: 300, seconds: 60 }],
  },
  newSession: { perSession: [], perAddress: [], total: [{ calls: 40, seconds: 60 }] },
};

/** All windows begin here. */
const startOfDay = Date.parse("2026-03-02T00:00:00Z");

/** A BFF that applies all limits, until the end of the test. */
function limited(
  more: Record<string, string> = {},
  clock: () => number = () => startOfDay,
  counts?: CallCounts,
): TestBff {
  const options = { isLimited: true, clock, limits: { rates }, ...(counts && { counts }) };
  return ownBff({ ...environment, ...more }, options);
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
  let now = startOfDay;
  const t = limited({}, () => now);
  const browser = await newGuest(t);
  for (const _ of times(10)) await browser.post("/api/chat/chats", {});
  now += 500;
  expect((await browser.post("/api/chat/chats", {})).headers.get("retry-after")).toBe("60");
  now += 59_000;
  expect((await browser.post("/api/chat/chats", {})).headers.get("retry-after")).toBe("1");
});

test("gives no new allowance for a forged X-Forwarded-For", async () => {
  const createChat = { perSession: [], perAddress: [{ calls: 10, seconds: 60 }], total: [] };
  const admitted = async (more: Record<string, string>, address: () => string) => {
    const t = ownBff(
      { ...environment, ...more },
      { clock: () => startOfDay, limits: { rates: { createChat } } },
    );
    const statuses: number[] = [];
    for (const _ of times(12)) {
      const browser = await newGuest(t);
      statuses.push((await browser.post("/api/chat/chats", {}, { "x-forwarded-for": address() })).status);
    }
    return statuses.filter((status) => status === 201).length;
  };
  let forged = 0;
  const another = () => `${++forged}.6.6.6`;
  // Without trusted proxies the header is ignored: each session only has its own limits.
  expect(await admitted({}, () => "203.0.113.9")).toBe(12);
  // Behind one proxy the proxy's entry counts, whatever the caller has written before it.
  expect(await admitted(proxied, () => `${another()}, 203.0.113.9`)).toBe(10);
  expect(await admitted(proxied, another)).toBe(12);
});

/** Guests with a session, who call from one address. */
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
      times(each).map(async () => (await guest.get("/api/chat/chats/chat_9999/files/file_99999")).status),
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
  expect(t.lines.filter(({ limitedBy }) => limitedBy === "download:address:60")).toHaveLength(280);
});

test("counts an IPv6 /48 prefix as one address", async () => {
  const t = limited(proxied);
  const guests = await Promise.all(
    times(4).map((_, at) => guestsAt(t, `2001:db8:1:${at.toString(16)}::1`, 1)),
  );
  expect(await readsOf(guests.flat(), 10)).toBe(30);
  expect(await readsOf(await guestsAt(t, "2001:db8:2::1", 4), 10)).toBe(30);
});

/** Lets this many sessions read once. Returns how many of the reads are admitted. */
async function readsOfSessions(
  { bff }: TestBff,
  { count = 310, customer = null, address }: SessionReads,
): Promise<number> {
  const outcomes = await Promise.allSettled(
    times(count).map((_, number) => {
      const session = { id: `${address?.host}-${number}-${customer?.id}`, userId: "guest-12345", customer };
      return bff.rateLimits.consume("download", { session, address });
    }),
  );
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

interface SessionReads {
  count?: number;
  customer?: Customer | null;
  address?: CallerAddress;
}

const ada = { id: "42", name: "Ada" };

test("gives the guests of an address that may be a proxy half of the total allowance", async () => {
  const t = limited();
  const readsFrom = (host: string, customer: Customer | null = null) =>
    readsOfSessions(t, { address: { host, isShared: true }, customer });
  expect(await readsFrom("127.0.0.1")).toBe(150);
  // Guests get seven eighths of 300, and customers the rest, wherever they are.
  expect(await readsFrom("10.0.0.7")).toBe(263 - 150);
  expect(await readsFrom("127.0.0.1", ada)).toBe(300 - 263);
});

test("gives the counts of a refused call back to its caller", async () => {
  let now = startOfDay;
  const t = limited({ MAX_CHATS_PER_DAY: "11" }, () => now);
  const customer = await signedIn(t);
  const chats = async (count: number) => {
    const statuses = [];
    for (const _ of times(count)) statuses.push((await customer.post("/api/chat/chats", {})).status);
    return statuses.filter((status) => status === 201).length;
  };
  // Ten in an hour, for everyone. Without these refusals the customer may start forty in a day.
  expect(await chats(10)).toBe(10);
  for (let minute = 1; minute <= 5; minute += 1) {
    now += 60_000;
    expect(await chats(10)).toBe(0);
  }
  now += 3_600_000;
  expect(await chats(1)).toBe(1);
  expect(limitsIn(t)).toEqual(["createChat:total:3600"]);
});

test("reserves a part of the total allowance for customers", async () => {
  const t = limited();
  expect(await readsOf(await guestsAt(t, "", 31), 10)).toBe(263);
  const customers = await Promise.all(times(5).map((_, at) => signedIn(t, `customer-${at}`)));
  expect(await readsOf(customers, 10)).toBe(300 - 263);
  expect(limitsIn(t)).toEqual(["download:guests:60", "download:total:60"]);
});

test("reserves nothing for customers in a shop without a sign-in", async () => {
  const options = { isLimited: true, customerOf: null, limits: { rates }, clock: () => startOfDay };
  const t = ownBff(environment, options);
  expect(await readsOfSessions(t, {})).toBe(300);
});

test("counts no chat for a request that creates none", async () => {
  const t = limited({ MAX_CHATS_PER_DAY: "40" });
  const guests = await guestsAt(t, "", 12);
  const post = (at: number, body: string, key = `key-${Math.random()}`) =>
    guests[at]?.send("/api/chat/chats", {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "idempotency-key": key },
    });
  for (let call = 0; call < 12; call += 1) expect((await post(0, "{"))?.status).toBe(400);
  upstream.respond("POST /chats", 429, errorBody("capacity_limited", { retryAfterSeconds: 10 }));
  for (let call = 0; call < 12; call += 1) expect((await post(1, "{}"))?.status).toBe(429);
  upstream.createsChats();
  // A replay creates nothing either.
  for (let call = 0; call < 12; call += 1)
    expect((await post(2, "{}", "one-press-of-send"))?.status).toBeLessThan(202);
  // Nine of an hour's ten are for guests.
  const statuses = [];
  for (let at = 2; at < 12; at += 1) statuses.push((await post(at, "{}"))?.status);
  expect(statuses).toEqual([...Array(8).fill(201), 429, 429]);
});

test("counts a chat whose creation may have succeeded, and its repetitions not again", async () => {
  const t = ownBff(environment, { isLimited: true, clock: () => startOfDay, sleep: async () => undefined });
  const guest = await newGuest(t);
  const create = async (key: string) =>
    (await guest.post("/api/chat/chats", {}, { "idempotency-key": key })).status;
  upstream.on("POST /chats", (_, response) => {
    response.writeHead(201, { "content-type": "application/json", "content-length": "500" });
    response.write('{"item":', () => response.destroy());
  });
  for (const _ of times(2)) {
    for (const at of times(10).keys()) expect(await create(`lost-answer-${at}`)).toBe(502);
  }
  expect(await create("another-chat")).toBe(429);
  expect(limitsIn(t)).toEqual(["createChat:session:60"]);
  upstream.createsChats();
  expect(await create("lost-answer-0")).toBe(201);
  expect(await create("another-chat")).toBe(429);
});

test("spreads MAX_CHATS_PER_DAY over the day and reserves a part for customers", async () => {
  let now = startOfDay;
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
  // Ten chats an hour, of which guests get nine.
  expect(await chatsOf(await guests(12))).toBe(9);
  expect(limitsIn(t)).toContain("createChat:guests:3600");
  expect(await chatsOf(await customers(4))).toBe(1);
  let inTheDay = 10;
  for (let hour = 1; hour < 23; hour += 1) {
    now += 3_600_000;
    inTheDay += await chatsOf(await guests(12));
  }
  // Guests get 35 of forty chats. A customer has started one.
  expect(inTheDay).toBe(36);
  expect(limitsIn(t)).toContain("createChat:guests:86400");
  now += 3_600_000;
  expect(await chatsOf(await customers(12))).toBe(4);
});

test("limits an address before the host is asked for the caller", async () => {
  let calls = 0;
  const rates = { identify: { perSession: [], perAddress: [{ calls: 20, seconds: 60 }], total: [] } };
  const t = ownBff(
    { ...environment, ...proxied },
    {
      limits: { rates },
      clock: () => startOfDay,
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

test("a flood of many addresses does not keep customers from being recognized", async () => {
  const clock = () => startOfDay;
  const counts = createMemoryCounts(clock);
  const { consume } = createRateLimits({
    basePath: "/api/chat",
    own: counts,
    shared: counts,
    hasCustomers: true,
    clock,
    table: rateLimitTable(5_000),
  });
  /** The number of these calls that the address may make. */
  async function admitted(calls: number, address: CallerAddress): Promise<number> {
    const identify = () => consume("identify", { session: undefined, address });
    const outcomes = await Promise.allSettled(times(calls).map(identify));
    return outcomes.filter(({ status }) => status === "fulfilled").length;
  }
  for (let network = 0; network < 30; network += 1) {
    expect(await admitted(2_401, { host: `203.0.113.${network}`, isShared: false })).toBe(2_400);
  }
  expect(await admitted(1, { host: "198.51.100.7", isShared: false })).toBe(1);
  expect(await admitted(30_001, { host: "10.0.0.1", isShared: true })).toBe(30_000);
});

test("counts a call in each of its buckets in the shared store, under hashed keys", async () => {
  const keys: string[] = [];
  const counts: CallCounts = {
    count(key) {
      keys.push(key);
      return 1;
    },
  };
  const t = limited(proxied, undefined, counts);
  const [guest] = await guestsAt(t, "2001:db8:1:2::1", 1);
  keys.length = 0;
  // Nothing limits health checks.
  await guest?.get("/api/chat/health/live");
  expect((await guest?.post("/api/chat/chats", {}))?.status).toBe(201);
  // Session, address, guests and total: of `send` for a minute each, of `createChat` for two times each.
  expect(new Set(keys).size).toBe(4 + 8);
  for (const key of keys) expect(key).toMatch(/^chat:[\w-]{22}$/);
});

test("counts in the process while the shared store does not answer, and waits for it once", async () => {
  let isSilent = false;
  let unanswered = 0;
  const counts: CallCounts = {
    count() {
      if (!isSilent) return 1;
      unanswered += 1;
      return new Promise(() => undefined);
    },
  };
  const t = limited(proxied, undefined, counts);
  const [guest, other] = await guestsAt(t, "2001:db8:1:2::1", 2);
  isSilent = true;
  for (const _ of times(10)) expect((await guest?.post("/api/chat/chats", {}))?.status).toBe(201);
  expect((await guest?.post("/api/chat/chats", {}))?.status).toBe(429);
  expect((await other?.post("/api/chat/chats", {}))?.status).toBe(201);
  expect(unanswered).toBe(1);
  expect(t.lines.filter(({ event }) => event === "counts_unavailable")).toHaveLength(1);
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
  expect(repeated.filter((status) => status === 429)).toHaveLength(40 - 30);
  expect(await create(other, "the-same-key")).toBe(201);
  for (let at = 2; at <= 10; at += 1) expect(await create(other, `key-${at}-of-ten`)).toBe(201);
  expect(await create(other, "the-eleventh-key")).toBe(429);
});

test("limits a flood of new sessions, and serves health checks and existing sessions", async () => {
  const t = limited();
  const [guest, customer] = [t.browser(), await signedIn(t)];
  await guest.start();
  const statuses = await Promise.all(
    times(100).map(async () => (await t.browser().get("/api/chat/health/live")).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  const started = await Promise.all(times(50).map(async () => (await t.browser().start()).status));
  // An eighth of the forty is reserved for customers. One of the other 35 is the guest above.
  expect(started.filter((status) => status === 201)).toHaveLength(34);
  expect(upstream.seen).toEqual([]);
  // Customers with a session or a sign-in are served, whatever others do.
  for (const there of [guest, customer]) {
    expect((await there.start()).status).toBe(200);
    expect((await there.get("/api/chat/chats/chat_9999")).status).toBe(404);
  }
});

test("chat servers that share a store count apart", async () => {
  const clock = () => startOfDay;
  const counts = createMemoryCounts(clock);
  const table = { send: { perSession: [{ calls: 1, seconds: 60 }], perAddress: [], total: [] } };
  const at = (basePath: string) =>
    createRateLimits({ basePath, own: counts, shared: counts, hasCustomers: false, clock, table });
  const caller = { session: { id: "1", userId: "1", customer: null }, address: undefined };
  const [sales, repairs] = [at("/api/chat"), at("/repairs/chat")];
  for (const { consume } of [sales, repairs]) await consume("send", caller);
  await expect(at("/api/chat").consume("send", caller)).rejects.toThrow();
});
