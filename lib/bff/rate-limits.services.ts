/** Limits that two BFFs share through a real Redis (npm run test:services). */
import { Redis } from "ioredis";
import { afterAll, expect, inject, test } from "vitest";
import { createLog } from "./log.ts";
import { createRateLimits, type RateLimits } from "./rate-limits.ts";

declare module "vitest" {
  interface ProvidedContext {
    redisUrl: string;
  }
}

const redisUrl = inject("redisUrl");
const calls = (count: number) => ({
  perSession: [{ calls: count, seconds: 60 }],
  perAddress: [],
  everyone: [],
});
const table = { createChat: { ...calls(5), repetition: "send" }, send: calls(2) };
const request = new Request("https://shop.example/api/chats");
const lines: string[] = [];
const log = createLog({
  level: "warn",
  secrets: [],
  destination: { write: (line) => void lines.push(line) },
});
const started: RateLimits[] = [];
afterAll(() => Promise.all(started.map((limits) => limits.close())));

function start(url: string | undefined): RateLimits {
  const limits = createRateLimits({ config: { redisUrl: url, trustProxyHops: 0 }, log, table });
  started.push(limits);
  return limits;
}

/** How many of so many calls of one session pass, by turns at each BFF. */
async function passing(bffs: readonly RateLimits[], seal: string, calls: number): Promise<number> {
  const session = { userId: "user-12345", seal, expiresAt: Number.POSITIVE_INFINITY };
  const outcomes = await Promise.allSettled(
    Array.from({ length: calls }, (_, turn) =>
      bffs[turn % bffs.length]?.consume("createChat", { request, session }),
    ),
  );
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

async function connected(): Promise<void> {
  const probe = new Redis(redisUrl);
  await probe.ping();
  probe.disconnect();
}

test("two BFFs on one Redis count together, and each session for itself", async () => {
  await connected();
  const bffs = [start(redisUrl), start(redisUrl)];
  await expect.poll(async () => passing(bffs, `warm-${Math.random()}`, 20)).toBe(5);
  expect(await passing(bffs, `one-${Math.random()}`, 20)).toBe(5);
  expect(await passing(bffs, `two-${Math.random()}`, 20)).toBe(5);
});

test("a request that the other BFF has counted is a repetition", async () => {
  await connected();
  const [one, other] = [start(redisUrl), start(redisUrl)];
  const session = {
    userId: "user-12345",
    seal: `repeats-${Math.random()}`,
    expiresAt: Number.POSITIVE_INFINITY,
  };
  const repeated = new Request(request, { headers: { "idempotency-key": "one-press-of-send" } });
  const passes = (limits: RateLimits, of = repeated) =>
    limits.consume("createChat", { request: of, session }).then(
      () => true,
      () => false,
    );
  await expect.poll(async () => passing([one, other], `warm-${Math.random()}`, 20)).toBe(5);
  expect(await passes(one)).toBe(true);
  expect([await passes(other), await passes(other), await passes(other)]).toEqual([true, true, false]);
  // Four of five are left for other chats.
  expect(await passing([one, other], session.seal, 20)).toBe(4);
});

test("Redis holds hashes that expire, and no customer's ID", async () => {
  await passing([start(redisUrl)], "a seal that must not be stored", 1);
  const redis = new Redis(redisUrl);
  const keys = await redis.keys("*");
  expect(keys.join(" ")).not.toMatch(/seal that|user-12345/);
  for (const key of keys.filter((name) => name.startsWith("chat:")))
    expect(await redis.pttl(key)).toBeGreaterThan(0);
  redis.disconnect();
});

test("while Redis is away each BFF counts for itself, and says so", async () => {
  const alone = start("redis://127.0.0.1:1");
  expect(await passing([alone], "anyone", 20)).toBe(5);
  await expect.poll(() => lines.join("")).toContain("redis_unreachable");
});
