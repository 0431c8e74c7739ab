/**
 * Polls at once, then at an interval; after a failure, after a backoff. The network's return and a new start
 * end the backoff, but never poll before the server's `Retry-After` has passed.
 */
import type { Browser } from "../browser/browser.ts";
import type { FailureOf } from "../failure.ts";

/** Milliseconds. */
const firstRetry = 4_000;
const longestRetry = 60_000;
/** `setTimeout` fires at once for a delay that it cannot hold, such as a `Retry-After` of a month. */
const longestWait = 24 * 60 * 60 * 1_000;

export type Poller = ReturnType<typeof createPoller>;

export function createPoller(
  { isOnline, on }: Pick<Browser, "isOnline" | "on">,
  failureOf: FailureOf,
  poll: () => Promise<void>,
) {
  let isStopped = false;
  let interval = 0;
  /** Failed polls in a row. While there are any, the next poll waits for the backoff, not the interval. */
  let failures = 0;
  /** By `performance.now()`: the server asked for no poll before, not even when the network returns. */
  let allowedAt = Number.NEGATIVE_INFINITY;
  let isPolling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(wait: number): void {
    clearTimeout(timer);
    if (!isStopped && wait > 0) timer = setTimeout(run, wait);
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    // The `online` event starts a poll, too; the end of the current poll plans the next.
    if (isPolling || !isOnline()) return;
    const early = allowedAt - performance.now();
    if (early > 0) return plan(Math.min(early, longestWait));
    isPolling = true;
    try {
      await poll();
      failures = 0;
    } catch (error) {
      failures += 1;
      const serverWait = (failureOf(error).retryAfterSeconds ?? 0) * 1_000;
      allowedAt = performance.now() + serverWait;
      return plan(retryWait(serverWait, failures));
    } finally {
      isPolling = false;
    }
    plan(interval);
  }

  const stopListening = on("online", () => void run());
  void run();
  return {
    stop() {
      isStopped = true;
      stopListening();
      clearTimeout(timer);
    },
    /** Milliseconds between two polls; 0 for none. */
    setInterval(milliseconds: number) {
      interval = milliseconds;
      if (failures === 0 && !isPolling) plan(interval);
    },
  };
}

/** Waits as long as the server asks, otherwise longer after each failure, with jitter. */
function retryWait(serverWait: number, failures: number): number {
  const backOff = Math.min(firstRetry * 2 ** (failures - 1), longestRetry) * (0.5 + Math.random() / 2);
  return Math.min(Math.max(serverWait, backOff), longestWait);
}
