/** Where calls are counted: in this process's memory, or in a store that several processes share. */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { requireOptional } from "../configuration/optional-package.ts";
import type { Logger } from "../observability/observe.ts";
import { inTime } from "./in-time.ts";

export interface Rate {
  calls: number;
  seconds: number;
}

export interface CallCounts {
  /**
   * Counts one call under this key, or takes one back (`by` is -1), and returns the key's new count. A key
   * belongs to one window of `rate.seconds`, so the store may forget it `rate.seconds` after its last call.
   */
  count(key: string, rate: Rate, by: 1 | -1): number | Promise<number>;
}

/**
 * Limits the memory, because new guests cost nothing. The keys that were counted least recently go first:
 * their callers could have come back as new guests anyway. A total is counted by each call, so it stays.
 */
const maxKeys = 100_000;

/** Counts in memory. All windows of one length end together, and their keys are forgotten then. */
export function createMemoryCounts(clock: () => number) {
  const windows = new Map<number, { number: number; calls: LRUCache<string, number> }>();
  return {
    count(key: string, { seconds }: Rate, by: 1 | -1): number {
      const number = windowAt(clock(), seconds);
      const window = windows.get(seconds) ?? { number, calls: new LRUCache({ max: maxKeys }) };
      windows.set(seconds, window);
      if (window.number !== number) window.calls.clear();
      window.number = number;
      const count = (window.calls.get(key) ?? 0) + by;
      window.calls.set(key, count);
      return count;
    },
  } satisfies CallCounts;
}

/** The number of the window of this length that contains the time. */
export function windowAt(time: number, seconds: number): number {
  return Math.floor(time / (seconds * 1_000));
}

/** How long a request waits for the store, and how long it is skipped after a failure. Milliseconds. */
const longestWait = 100;
const skipTime = 5_000;

/** Counts in a shared store. While it fails or takes too long, this process counts for itself. */
export function createSharedCounts(shared: CallCounts, own: CallCounts, log: Logger): CallCounts {
  /**
   * True from the first failure to the next success, so that an outage is logged at its beginning and its
   * end.
   */
  let isUnavailable = false;
  let nextTry = 0;

  function fail(error: Error & { code?: string }): void {
    if (isUnavailable) return;
    isUnavailable = true;
    log.warn(
      { event: "counts_unavailable", reason: error.code ?? error.message },
      "The store of the shared limits does not answer: limits count per process until it does",
    );
  }

  return {
    async count(key, rate, by) {
      const now = performance.now();
      if (isUnavailable && now < nextTry) return own.count(key, rate, by);
      // While the store hangs, a single request at a time tries it.
      nextTry = now + skipTime;
      try {
        const count = await inTime(shared.count(hashed(key), rate, by), longestWait);
        if (!Number.isInteger(count)) throw new TypeError("not a number");
        if (isUnavailable) log.info({ event: "counts_available" }, "Limits are shared again");
        isUnavailable = false;
        return count;
      } catch (error) {
        fail(error instanceof Error ? error : new Error("unknown"));
        return own.count(key, rate, by);
      }
    },
  };
}

/** Hashes keys, because the store must not have customer IDs. */
function hashed(key: string): string {
  return `chat:${hash("sha256", key, "base64url").slice(0, 22)}`;
}

export interface RedisCounts extends CallCounts {
  close(): void;
}

/** Counts calls in Redis, for several processes together. */
export function createRedisCounts(url: string): RedisCounts {
  const client = new (requireOptional("ioredis").Redis)(url, { maxRetriesPerRequest: 0 });
  let lastError: Error | undefined;
  client.on("error", (error: Error) => {
    lastError = error;
  });
  return {
    async count(key, { seconds }, by) {
      const replies = await client.pipeline().incrby(key, by).expire(key, seconds).exec();
      const [error, count] = replies?.[0] ?? [];
      // ioredis reports a lost connection as too many retries.
      if (error != null) throw lastError ?? error;
      return Number(count);
    },
    close: () => client.disconnect(),
  };
}
