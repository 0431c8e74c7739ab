import { setTimeout as pause } from "node:timers/promises";

export interface RetryOptions {
  /** Whether the same call may succeed later. */
  isTemporary(error: unknown): boolean | Promise<boolean>;
  /** Milliseconds after which a temporary error is final, too. */
  within: number;
  /** Milliseconds between two calls. */
  interval: number;
  /** Ends the retries with its reason. */
  signal?: AbortSignal;
}

/** Repeats a call that fails temporarily. */
export async function retried<T>(run: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { isTemporary, within, interval, signal } = options;
  const end = performance.now() + within;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (performance.now() > end || !(await isTemporary(error))) throw error;
      await pause(interval, undefined, { signal });
    }
  }
}

/** Rejects with the signal's reason as soon as it aborts, even if the promise never settles. */
export async function untilAborted<T>(signal: AbortSignal, pending: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([pending, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
