/**
 * Counts calls in Redis, for several processes together: one command for all buckets of a call, so that a
 * slow Redis costs one wait. While Redis is unavailable or slow, this process counts for itself.
 */
import { hash } from "node:crypto";
import { requireOptional } from "../configuration/optional-package.ts";
import type { Logger } from "../observability/log.ts";
import type { CallCounts, Count, GiveBack, ProcessCounts, Refusal } from "./process-counts.ts";

/** How long a request waits for Redis, and for how long Redis is skipped after a failure, in milliseconds. */
const longestWait = 100;
const skipTime = 5_000;

/**
 * KEYS: the buckets. ARGV: for each its calls, its `busyCalls` (-1 for a share) and its seconds. Returns the
 * position of the bucket that refuses the call and its milliseconds, or 0 and 0.
 */
const countScript = `
local busy = false
for at, key in ipairs(KEYS) do
  local calls, busyCalls = tonumber(ARGV[3 * at - 2]), tonumber(ARGV[3 * at - 1])
  local used = tonumber(redis.call('get', key) or 0)
  if busyCalls < 0 then busy = used >= calls
  elseif used >= (busy and busyCalls or calls) then return { at, redis.call('pttl', key) } end
end
for at, key in ipairs(KEYS) do
  if redis.call('incr', key) == 1 then redis.call('expire', key, ARGV[3 * at]) end
end
return { 0, 0 }`;

/** ARGV: the longest times, in milliseconds, that windows of the call still have. Later ones have more. */
const giveBackScript = `
for at, key in ipairs(KEYS) do
  local isOfCall = redis.call('pttl', key) <= tonumber(ARGV[at])
  if isOfCall and tonumber(redis.call('get', key) or 0) > 0 then redis.call('decr', key) end
end`;

export interface RedisCounts extends CallCounts {
  close(): void;
}

export function createRedisCounts(url: string, log: Logger, ownCounts: ProcessCounts): RedisCounts {
  const client = new (requireOptional("ioredis").Redis)(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
  });
  /** From the first failure to the next success, so that an outage is logged at its beginning and its end. */
  let isUnavailable = false;
  let nextTry = 0;

  function fail(error: Error & { code?: string }): void {
    nextTry = performance.now() + skipTime;
    if (isUnavailable) return;
    isUnavailable = true;
    log.warn(
      { event: "redis_unreachable", reason: error.code ?? error.message },
      "Redis is unavailable: limits count per process until it is back",
    );
  }

  function succeed(): void {
    if (isUnavailable) log.info({ event: "redis_reachable" }, "Redis is back: limits are shared again");
    isUnavailable = false;
  }

  client.on("error", fail);
  client.on("ready", succeed);

  async function countInRedis(counts: readonly Count[]): Promise<Refusal | GiveBack> {
    const keys = counts.map(({ bucket, key }) => `chat:${bucket}:${shortKey(key)}`);
    const numbers = counts.flatMap(({ calls, busyCalls, seconds }) => [
      calls,
      busyCalls === "share" ? -1 : busyCalls,
      seconds,
    ]);
    const reply: unknown = await client.eval(countScript, keys.length, ...keys, ...numbers);
    const [at, wait] = Array.isArray(reply) ? reply.map(Number) : [];
    const refusing = counts[(at ?? 0) - 1];
    if (refusing !== undefined) return { bucket: refusing.bucket, wait: Math.max(1, wait ?? 0) };
    const countedAt = performance.now();
    return () => {
      const age = Math.floor(performance.now() - countedAt);
      const rests = counts.map(({ seconds }) => seconds * 1_000 - age);
      // If this fails, the count stays until its window ends.
      void client.eval(giveBackScript, keys.length, ...keys, ...rests).catch(() => undefined);
    };
  }

  return {
    async count(counts) {
      const now = performance.now();
      if (client.status !== "ready" || (isUnavailable && now < nextTry)) return ownCounts.count(counts);
      // While Redis hangs, a single request at a time tries it.
      nextTry = now + skipTime;
      try {
        const counted = await inTime(countInRedis(counts));
        succeed();
        return counted;
      } catch (error) {
        fail(error instanceof Error ? error : new Error("unknown"));
        return ownCounts.count(counts);
      }
    },
    close: () => client.disconnect(),
  };
}

/** ioredis's own limit would also end the slow commands with which it connects. */
async function inTime<T>(command: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("Redis took too long")), longestWait);
  try {
    return await Promise.race([command, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Hashes keys, because a caller's header may have any length and Redis must not store customer IDs. */
function shortKey(key: string): string {
  return hash("sha256", key, "base64url").slice(0, 22);
}
