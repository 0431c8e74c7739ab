/**
 * Polls at once, then at an interval; after a failure, after a backoff. The network's return and a new start
 * end the backoff, but never poll before the server's `Retry-After` has passed.
 */
import type { Repetition } from "../../chat-api/errors.ts";
import { dueIn } from "../../chat-client/retry.ts";
import type { Browser } from "../browser/browser.ts";
import { askedWaitOf, type FailureOf } from "../failure.ts";

const second = 1_000;
/** The waits after failed polls. */
const backOff: Repetition = {
  waits: [4 * second, 8 * second, 16 * second, 32 * second, 60 * second],
  times: Number.POSITIVE_INFINITY,
  within: Number.POSITIVE_INFINITY,
  longest: Number.POSITIVE_INFINITY,
  jitter: 0.5,
};

export type Poller = ReturnType<typeof createPoller>;

export function createPoller(
  { isOnline, on }: Pick<Browser, "isOnline" | "on">,
  failureOf: FailureOf,
  signal: AbortSignal,
  poll: () => Promise<void>,
) {
  let interval = 0;
  /** Failed polls in a row. While there are any, the next poll waits for the backoff, not the interval. */
  let failures = 0;
  /** Time by `performance.now()`: the server asked for no poll before, not even when the network returns. */
  let allowedAt = Number.NEGATIVE_INFINITY;
  let isPolling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(wait: number): void {
    clearTimeout(timer);
    if (!signal.aborted && wait > 0) timer = setTimeout(run, wait);
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    // The `online` event starts a poll, too; the end of the current poll plans the next.
    if (isPolling || !isOnline()) return;
    const early = allowedAt - performance.now();
    if (early > 0) return plan(early);
    isPolling = true;
    try {
      await poll();
      failures = 0;
    } catch (error) {
      failures += 1;
      const askedWait = askedWaitOf(failureOf(error));
      allowedAt = performance.now() + (askedWait ?? 0);
      return plan(dueIn(backOff, { count: failures, elapsed: 0, askedWait }) ?? 0);
    } finally {
      isPolling = false;
    }
    plan(interval);
  }

  const stopListening = on("online", () => void run());
  signal.addEventListener("abort", () => {
    stopListening();
    clearTimeout(timer);
  });
  void run();
  return {
    /** Milliseconds between two polls; 0 for none. */
    setInterval(milliseconds: number) {
      if (milliseconds === interval) return;
      interval = milliseconds;
      if (failures === 0 && !isPolling) plan(interval);
    },
  };
}
