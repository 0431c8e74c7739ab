/** Limits shared by two BFFs through a real Redis (npm run test:services). */
import { Redis } from "ioredis";
import { afterAll, expect, inject, test } from "vitest";
import { createLog } from "../observability/log.ts";
import { createRateLimits, type RateLimits } from "./rate-limits.ts";

const redisUrl = inject("redisUrl");
const calls = (count: number) => ({
  perSession: [{ calls: count, seconds: 60 }],
  perAddress: [],
  everyone: [],
});
const table = { createChat: { ...calls(5), repetition: "send" }, send: calls(2) };
const request = new Request("https://shop.example/api/chat/chats");
const lines: string[] = [];
const log = createLog({
  level: "warn",
  secrets: [],
  destination: { write: (line) => void lines.push(line) },
});
const started: RateLimits[] = [];
afterAll(() => Promise.all(started.map((limits) => limits.close())));

function start(url: string | undefined): RateLimits {
  const limits = createRateLimits({ redisUrl: url, chatsPerDay: 1_000, hasCustomers: false, log, table });
  started.push(limits);
  return limits;
}

/** Sends this many calls of one session, alternating between the BFFs. Returns how many are admitted. */
async function passing(bffs: readonly RateLimits[], sessionId: string, calls: number): Promise<number> {
  const session = { id: sessionId, userId: "user-12345", startedAt: 0, customer: null };
  const outcomes = await Promise.allSettled(
    Array.from({ length: calls }, (_, turn) =>
      bffs[turn % bffs.length]?.consume("createChat", { request, session, address: undefined }),
    ),
  );
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

async function connected(): Promise<void> {
  const probe = new Redis(redisUrl);
  await probe.ping();
  probe.disconnect();
}

test("counts together in two BFFs on one Redis, separately per session", async () => {
  await connected();
  const bffs = [start(redisUrl), start(redisUrl)];
  await expect.poll(async () => passing(bffs, `warm-${Math.random()}`, 20)).toBe(5);
  expect(await passing(bffs, `one-${Math.random()}`, 20)).toBe(5);
  expect(await passing(bffs, `two-${Math.random()}`, 20)).toBe(5);
});

test("treats a request as a repetition if another BFF has already counted it", async () => {
  await connected();
  const [one, other] = [start(redisUrl), start(redisUrl)];
  const session = { id: `repeats-${Math.random()}`, userId: "user-12345", startedAt: 0, customer: null };
  const repeated = new Request(request, { headers: { "idempotency-key": "one-press-of-send" } });
  const passes = (limits: RateLimits, of = repeated) =>
    limits.consume("createChat", { request: of, session, address: undefined }).then(
      () => true,
      () => false,
    );
  await expect.poll(async () => passing([one, other], `warm-${Math.random()}`, 20)).toBe(5);
  expect(await passes(one)).toBe(true);
  expect([await passes(other), await passes(other), await passes(other)]).toEqual([true, true, false]);
  // Four of five remain for other chats.
  expect(await passing([one, other], session.id, 20)).toBe(4);
});

test("stores only expiring hashes in Redis, no customer ID", async () => {
  await passing([start(redisUrl)], "a session ID that must not be stored", 1);
  const redis = new Redis(redisUrl);
  const keys = await redis.keys("*");
  expect(keys.join(" ")).not.toMatch(/session ID|user-12345/);
  for (const key of keys.filter((name) => name.startsWith("chat:")))
    expect(await redis.pttl(key)).toBeGreaterThan(0);
  redis.disconnect();
});

test("counts per process and logs redis_unreachable while Redis is unavailable", async () => {
  const alone = start("redis://127.0.0.1:1");
  expect(await passing([alone], "anyone", 20)).toBe(5);
  await expect.poll(() => lines.join("")).toContain("redis_unreachable");
});
