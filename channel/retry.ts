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
