/**
 * Counts calls per key in this process's memory: synchronously, by the given clock, and for a bounded number
 * of keys. The memory counter of rate-limiter-flexible creates a promise and a timer for each key.
 */

interface Window {
  calls: number;
  endsAt: number;
}

export interface CallCounterOptions {
  calls: number;
  /** Length of the window, which starts with a key's first call. */
  milliseconds: number;
  clock: () => number;
}

/**
 * Limits the memory: new guests cost nothing, and windows of a day could keep a million of them. The oldest
 * keys are dropped first: their callers could have come back as new guests anyway. A total over all callers
 * has a single key, which is never dropped.
 */
const maxKeys = 100_000;

export type CallCounter = ReturnType<typeof createCallCounter>;

export function createCallCounter({ calls, milliseconds, clock }: CallCounterOptions) {
  // Ordered by their ends, because all windows have the same length.
  const windows = new Map<string, Window>();

  function forgetEnded(now: number): void {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now) return;
      windows.delete(key);
    }
  }

  return {
    /** Number of keys in memory. */
    size: () => windows.size,
    /** True if the key was counted in a window that has not ended. */
    has: (key: string) => (windows.get(key)?.endsAt ?? 0) > clock(),
    /** Counts a call. Returns 0, or the milliseconds to wait when there were too many. */
    count(key: string): number {
      const now = clock();
      const window = windows.get(key);
      if (window !== undefined && window.endsAt > now) {
        window.calls += 1;
        return window.calls > calls ? window.endsAt - now : 0;
      }
      forgetEnded(now);
      windows.delete(key);
      windows.set(key, { calls: 1, endsAt: now + milliseconds });
      if (windows.size > maxKeys) {
        const [oldest = key] = windows.keys();
        windows.delete(oldest);
      }
      return calls < 1 ? milliseconds : 0;
    },
  };
}
