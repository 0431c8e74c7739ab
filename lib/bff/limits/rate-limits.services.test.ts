/** Limits shared by two BFFs through a real Redis (npm run test:services). */
import { connect, createServer } from "node:net";
import { Redis } from "ioredis";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { listenLocally } from "../../../testing/local-server.ts";
import { createLog } from "../observability/log.ts";
import {
  createMemoryCounts,
  createRedisCounts,
  createSharedCounts,
  type RedisCounts,
} from "./call-counts.ts";
import { createRateLimits, type RateLimits } from "./rate-limits.ts";

const redisUrl = inject("redisUrl");
const calls = (count: number) => ({
  perSession: [{ calls: count, seconds: 60 }],
  perAddress: [],
  total: [],
});
const table = {
  createChat: calls(5),
  upload: { ...calls(5), perSession: [{ calls: 1, seconds: 1 }], total: [] },
};
const lines: string[] = [];
const log = createLog({
  level: "info",
  secrets: [],
  destination: { write: (line) => void lines.push(line) },
});
const started: RedisCounts[] = [];
afterAll(() => {
  for (const counts of started) counts.close();
});

/** All windows begin here. */
let now = Date.parse("2026-03-02T00:00:00Z");
const clock = () => now;

function start(url: string, basePath = "/api/chat"): RateLimits {
  const own = createMemoryCounts(clock);
  const redis = createRedisCounts(url);
  started.push(redis);
  return createRateLimits({
    basePath,
    own,
    shared: createSharedCounts(redis, own, log),
    hasCustomers: false,
    clock,
    table,
  });
}

/** Sends this many calls of one session, alternating between the BFFs. Returns how many are admitted. */
async function passing(bffs: readonly RateLimits[], sessionId: string, calls: number): Promise<number> {
  const session = { id: sessionId, userId: "user-12345", customer: null };
  const outcomes = await Promise.allSettled(
    Array.from({ length: calls }, (_, turn) =>
      bffs[turn % bffs.length]?.consume("createChat", { session, address: undefined }),
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

test("takes a count that is given back from the total of both BFFs", async () => {
  await connected();
  const [one, other] = [start(redisUrl), start(redisUrl)];
  const session = { id: `refused-${Math.random()}`, userId: "user-12345", customer: null };
  await expect.poll(async () => passing([one, other], `warm-${Math.random()}`, 20)).toBe(5);
  for (let call = 0; call < 20; call += 1) {
    const giveBack = await one.consume("createChat", { session, address: undefined });
    giveBack();
  }
  await expect.poll(() => passing([other, one], session.id, 20)).toBe(5);
});

test("gives a call back to no later window", async () => {
  await connected();
  const [bff, other] = [start(redisUrl), start(redisUrl)];
  await expect.poll(() => passing([bff, other], `warm-${Math.random()}`, 20)).toBe(5);
  const session = { id: `slow-${Math.random()}`, userId: "user-12345", customer: null };
  const upload = () => bff.consume("upload", { session, address: undefined });
  const giveBack = await upload();
  await expect(upload()).rejects.toThrow();
  now += 1_000;
  await upload();
  giveBack();
  await expect(upload()).rejects.toThrow();
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

test("counts per process while Redis is unavailable, and logs an outage once at each end", async () => {
  const { port, hostname } = new URL(redisUrl);
  let isDown = true;
  const proxy = createServer((socket) => {
    if (isDown) socket.resetAndDestroy();
    else {
      const redis = connect(Number(port), hostname);
      socket.pipe(redis).pipe(socket);
      socket.on("close", () => redis.destroy());
    }
  });
  const alone = start(`redis://127.0.0.1:${await listenLocally(proxy)}`);
  onTestFinished(() => void proxy.close());
  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => /^counts/.test(event));
  lines.length = 0;
  expect(await passing([alone], "anyone", 20)).toBe(5);
  isDown = false;
  await expect
    .poll(() => passing([alone], "anyone", 1).then(() => logged().at(-1)?.event), { timeout: 20_000 })
    .toBe("counts_available");
  expect(logged()).toMatchObject([
    { event: "counts_unavailable", reason: "ECONNRESET" },
    { event: "counts_available" },
  ]);
});
