import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
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

/** Lets this many sessions read once. Returns how many of the reads are admitted. */
async function readsOfSessions(
  { bff }: TestBff,
  {
    count = 310,
    customer = null,
    ...at
  }: { count?: number; customer?: Customer | null } & Partial<CallerAddress>,
): Promise<number> {
  const { site = "", host = site, network = site, isShared = false } = at;
  const address = site === "" ? undefined : { host, site, network, isShared };
  const outcomes = await Promise.allSettled(
    times(count).map((_, number) => {
      const session = { id: `${site}-${number}-${customer?.id}`, userId: "guest-12345", customer };
      return bff.rateLimits.consume("latest", { session, address });
    }),
  );
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

const ada = { id: "42", name: "Ada" };

test("gives an address that may be a proxy half of the total allowance", async () => {
  const t = limited();
  const readsFrom = (site: string, customer: Customer | null = null) =>
    readsOfSessions(t, { site, isShared: true, customer });
  // Half of 300; guests get seven eighths of that.
  expect(await readsFrom("127.0.0.1")).toBe(132);
  expect(await readsFrom("127.0.0.1", ada)).toBe(150 - 132);
  // The networks behind it are unknown, so they get none of the last quarter.
  expect(await readsFrom("10.0.0.7")).toBe(225 - 150);
});

test("keeps the last quarter of a total for networks that have used little of it", async () => {
  const t = limited();
  const readsFrom = (network: string, host: number, count: number) =>
    readsOfSessions(t, { site: `${network}.${host}`, network, count });
  // Thirty reads each of these addresses are allowed.
  for (let network = 1; network <= 7; network += 1) expect(await readsFrom(`7.7.${network}`, 1, 40)).toBe(30);
  expect(await readsFrom("7.7.8", 1, 40)).toBe(225 - 210);
  for (let network = 1; network <= 8; network += 1) expect(await readsFrom(`7.7.${network}`, 2, 5)).toBe(0);
  // A hundredth of 300 for each network, of which several addresses are one.
  expect(await readsFrom("8.8.1", 1, 2)).toBe(2);
  expect(await readsFrom("8.8.1", 2, 5)).toBe(1);
  expect(await readsFrom("8.8.2", 1, 5)).toBe(3);
  // The last eighth is for customers who are signed in, wherever they are.
  for (let network = 3; network <= 12; network += 1) await readsFrom(`8.8.${network}`, 1, 5);
  expect(await readsFrom("8.8.99", 1, 5)).toBe(2);
  expect(await readsOfSessions(t, { site: "7.7.1.3", network: "7.7.1", customer: ada, count: 29 })).toBe(29);
});

test("reserves a part of the total allowance for customers", async () => {
  const t = limited();
  expect(await readsOf(await guestsAt(t, "", 31), 10)).toBe(263);
  const customers = await Promise.all(times(5).map((_, at) => signedIn(t, `customer-${at}`)));
  expect(await readsOf(customers, 10)).toBe(300 - 263);
  expect(limitsIn(t)).toEqual(["latest:everyone:60"]);
});

test("reserves nothing for customers in a shop without a sign-in", async () => {
  const options = { isLimited: true, customerOf: undefined, limits: { rates } };
  const t = ownBff(environment, options);
  expect(await readsOfSessions(t, {})).toBe(300);
});

test("admits a new guest after seven addresses have started all the chats that they may", async () => {
  let now = Date.now();
  const t = limited(proxied, () => now);
  /** Chats of a new guest at this address, one after the other. Returns how many are created. */
  async function chatsFrom(address: string, count: number): Promise<number> {
    const at = { "x-forwarded-for": address };
    const guest = t.browser();
    await guest.post("/api/chat/session", {}, at);
    const statuses = await Promise.all(
      times(count).map(async () => (await guest.post("/api/chat/chats", {}, at)).status),
    );
    return statuses.filter((status) => status === 201).length;
  }
  let created = 0;
  for (let turn = 0; turn < 12; turn += 1) {
    const chats = times(7).map((_, address) => chatsFrom(`203.0.${address}.9`, 10));
    for (const count of await Promise.all(chats)) created += count;
    if (turn % 3 === 2) now += 60_000;
  }
  // Three quarters of an hour's 834, which is a sixth of the default day.
  expect(created).toBe(626);
  expect(limitsIn(t)).toContain("createChat:everyone:3600");
  expect(await chatsFrom("198.51.100.4", 1)).toBe(1);
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
  // Ten chats an hour, of which guests get nine.
  expect(await chatsOf(await guests(12))).toBe(9);
  expect(limitsIn(t)).toContain("createChat:everyone:3600");
  expect(await chatsOf(await customers(4))).toBe(1);
  let inTheDay = 10;
  for (let hour = 1; hour < 23; hour += 1) {
    now += 3_600_000;
    inTheDay += await chatsOf(await guests(12));
  }
  // Guests get 35 of forty chats.
  expect(inTheDay).toBe(35);
  expect(limitsIn(t)).toContain("createChat:everyone:86400");
  now += 3_600_000;
  expect(await chatsOf(await customers(12))).toBe(5);
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

test("counts each limit in one Redis command with a key for each bucket", async () => {
  const { redis, guest } = await withRedisPeer();
  // Nothing limits health checks.
  await guest.get("/api/chat/health/live");
  expect((await guest.post("/api/chat/chats", {})).status).toBe(201);
  const names = redis.calls.map((keys) => keys.map((key) => key.split(":").slice(0, -1).join(":")));
  const buckets = (limit: string, seconds: number, holders: string[]) =>
    holders.map((holder) => `chat:${limit}:${holder}:${seconds}`);
  expect(names).toEqual([
    buckets("send", 60, ["session", "address", "site", "network", "everyone"]),
    [
      ...[60, 86_400].flatMap((seconds) => buckets("createChat", seconds, ["session"])),
      ...[60, 3_600, 86_400].flatMap((seconds) => buckets("createChat", seconds, ["address", "site"])),
      ...[60, 3_600, 86_400].flatMap((seconds) => buckets("createChat", seconds, ["network", "everyone"])),
    ],
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
    times(1_500).map(async () => (await t.browser().get("/api/chat/health/live")).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  const started = await Promise.all(times(1_300).map(async () => (await t.browser().start()).status));
  // An eighth of the 1,200 is reserved for customers. One of the other 1,050 is the guest above.
  expect(started.filter((status) => status === 201)).toHaveLength(1_049);
  expect(upstream.seen).toEqual([]);
  // Customers with a session or a sign-in are served, whatever others do.
  for (const there of [guest, customer]) {
    expect((await there.start()).status).toBe(200);
    expect((await there.get("/api/chat/chats/chat_9999")).status).toBe(404);
  }
});
