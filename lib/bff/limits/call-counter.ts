/**
 * Counts calls per key in this process's memory: synchronously, by the given clock, and for a bounded number
 * of keys.
 */

interface Window {
  calls: number;
  endsAt: number;
}

export interface CallCounterOptions {
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

export function createCallCounter({ milliseconds, clock }: CallCounterOptions) {
  // Ordered by their ends, because all windows have the same length.
  const windows = new Map<string, Window>();

  /** The key's window if it has not ended. */
  function windowOf(key: string): Window | undefined {
    const window = windows.get(key);
    return window !== undefined && window.endsAt > clock() ? window : undefined;
  }

  function forgetEnded(now: number): void {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now) return;
      windows.delete(key);
    }
  }

  function begin(key: string): Window {
    const now = clock();
    forgetEnded(now);
    windows.delete(key);
    const window = { calls: 0, endsAt: now + milliseconds };
    windows.set(key, window);
    if (windows.size > maxKeys) {
      const [oldest = key] = windows.keys();
      windows.delete(oldest);
    }
    return window;
  }

  return {
    /** Number of keys in memory. */
    size: () => windows.size,
    calls: (key: string) => windowOf(key)?.calls ?? 0,
    /** Milliseconds until the key's window ends. */
    wait: (key: string) => (windowOf(key)?.endsAt ?? clock() + milliseconds) - clock(),
    /** Returns a function that takes the call away from its window, so that it changes no later one. */
    add(key: string): () => void {
      const window = windowOf(key) ?? begin(key);
      window.calls += 1;
      return () => {
        window.calls -= 1;
      };
    },
  };
}
