/** Limits shared by two BFFs through a real Redis (npm run test:services). */
import { connect, createServer } from "node:net";
import { Redis } from "ioredis";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { listenLocally } from "../../../testing/local-server.ts";
import { createLog } from "../observability/log.ts";
import { createRateLimits, type RateLimits } from "./rate-limits.ts";

const redisUrl = inject("redisUrl");
const calls = (count: number) => ({
  perSession: [{ calls: count, seconds: 60 }],
  perAddress: [],
  everyone: [],
});
const table = {
  createChat: calls(5),
  send: { ...calls(1_000), everyone: [{ calls: 40, seconds: 60 }] },
  upload: { ...calls(5), perSession: [{ calls: 1, seconds: 1 }], everyone: [] },
};
const lines: string[] = [];
const log = createLog({
  level: "info",
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
  await expect.poll(() => upload().then(() => "admitted", String), { timeout: 5_000 }).toBe("admitted");
  giveBack();
  await expect(upload()).rejects.toThrow();
});

test("keeps the last quarter of a total for networks that have used little of it", async () => {
  await connected();
  const bffs = [start(redisUrl), start(redisUrl)];
  await expect.poll(async () => passing(bffs, `warm-${Math.random()}`, 20)).toBe(5);
  const sendsFrom = async (network: string, calls: number) => {
    const session = { id: network, userId: "user-12345", customer: null };
    const address = { host: network, site: network, network, isShared: false };
    const sent = await Promise.allSettled(
      Array.from({ length: calls }, (_, turn) =>
        bffs[turn % bffs.length]?.consume("send", { session, address }),
      ),
    );
    return sent.filter(({ status }) => status === "fulfilled").length;
  };
  const names = [1, 2, 3].map(() => `network-${Math.random()}`);
  expect(await sendsFrom(names[0] ?? "", 25)).toBe(25);
  expect(await sendsFrom(names[1] ?? "", 25)).toBe(5);
  expect(await sendsFrom(names[2] ?? "", 5)).toBe(1);
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
  let attempts = 0;
  const proxy = createServer((socket) => {
    if (isDown) {
      attempts += 1;
      socket.resetAndDestroy();
    } else {
      const redis = connect(Number(port), hostname);
      socket.pipe(redis).pipe(socket);
      socket.on("close", () => redis.destroy());
    }
  });
  const alone = start(`redis://127.0.0.1:${await listenLocally(proxy)}`);
  onTestFinished(() => void proxy.close());
  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => /^redis/.test(event));
  lines.length = 0;
  await expect.poll(() => attempts).toBeGreaterThan(3);
  expect(await passing([alone], "anyone", 20)).toBe(5);
  isDown = false;
  await expect.poll(() => logged().at(-1)?.event).toBe("redis_reachable");
  expect(logged()).toMatchObject([
    { event: "redis_unreachable", reason: "ECONNRESET" },
    { event: "redis_reachable" },
  ]);
});
