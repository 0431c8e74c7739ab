/**
 * Counts calls in Redis, for several processes together: one command for all buckets of a call, so that a
 * slow Redis costs one wait. While Redis is unavailable or slow, this process counts for itself.
 */
import { hash } from "node:crypto";
import { requireOptional } from "../configuration/optional-package.ts";
import type { Logger } from "../observability/log.ts";
import {
  type CallCounts,
  type Count,
  type CountedCall,
  type ProcessCounts,
  type Refusal,
  repetitionSeconds,
} from "./process-counts.ts";

/** How long a request waits for Redis, and for how long Redis is skipped after a failure, in milliseconds. */
const longestWait = 100;
const skipTime = 5_000;

/**
 * KEYS: the key of the admitted request, if it may be repeated; then the buckets of a first request and those
 * of a repetition. ARGV: 1 if the request may be repeated; how many buckets a first request has; the seconds
 * for which it is remembered; the calls and seconds of each bucket. Returns the position of the bucket that
 * refuses the call and its milliseconds, or 0 and 0.
 */
const script = `
local before, counted, seconds = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local from, to = before + 1, before + counted
local repeated = before == 1 and redis.call('exists', KEYS[1]) == 1
if repeated then from, to = to + 1, #KEYS end
for at = from, to do
  local argument = 4 + 2 * (at - before - 1)
  local calls = redis.call('incr', KEYS[at])
  if calls == 1 then redis.call('expire', KEYS[at], ARGV[argument + 1]) end
  if calls > tonumber(ARGV[argument]) then return { at - before, redis.call('pttl', KEYS[at]) } end
end
if before == 1 and not repeated then redis.call('set', KEYS[1], 1, 'EX', seconds) end
return { 0, 0 }`;

export interface RedisCounts extends CallCounts {
  close(): void;
}

export function createRedisCounts(url: string, log: Logger, ownCounts: ProcessCounts): RedisCounts {
  const client = new (requireOptional("ioredis").Redis)(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
  });
  const warn = (error: unknown) =>
    log.warn(
      { event: "redis_unreachable", reason: error instanceof Error ? error.name : "unknown" },
      "Redis is unavailable: limits count per process until it is back",
    );
  client.on("error", warn);

  let isUnavailable = false;
  let nextTry = 0;

  async function countInRedis({ counts, repetition }: CountedCall): Promise<Refusal | undefined> {
    const all = [...counts, ...(repetition?.counts ?? [])];
    const keys = all.map(({ bucket, key }: Count) => `chat:${bucket}:${shortKey(key)}`);
    const before = repetition === undefined ? [] : [`chat:admitted:${shortKey(repetition.key)}`];
    const reply: unknown = await client.eval(
      script,
      before.length + keys.length,
      ...before,
      ...keys,
      before.length,
      counts.length,
      repetitionSeconds,
      ...all.flatMap(({ rate: { calls, seconds } }) => [calls, seconds]),
    );
    const [at, wait] = Array.isArray(reply) ? reply.map(Number) : [];
    const refusing = all[(at ?? 0) - 1];
    return refusing && { bucket: refusing.bucket, wait: Math.max(1, wait ?? 0) };
  }

  return {
    async count(call) {
      const now = performance.now();
      if (client.status !== "ready" || (isUnavailable && now < nextTry)) return ownCounts.count(call);
      // While Redis hangs, a single request at a time tries it.
      nextTry = now + skipTime;
      try {
        const refusal = await inTime(countInRedis(call));
        isUnavailable = false;
        return refusal;
      } catch (error) {
        if (!isUnavailable) warn(error);
        isUnavailable = true;
        nextTry = performance.now() + skipTime;
        return ownCounts.count(call);
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
