/**
 * How everything repeats what has failed: the client's calls, the engine's writes, reads and polls. A rule
 * (`Repetition`; for a write, that of its code in the error table) says when. Time and chance come from
 * outside.
 */
import type { Repetition } from "../chat-api/errors.ts";

/**
 * Resolves after `milliseconds`, or as soon as `signal` aborts. It never rejects, so the caller checks the
 * signal in one place.
 */
export type Sleep = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal?.addEventListener("abort", wake);
  });

export interface Failures {
  /** Failures in a row, the last one included. */
  count: number;
  /** Milliseconds since the first of them. */
  elapsed: number;
  /** The wait that the server asked for, in milliseconds; null if it asked for none. */
  askedWait: number | null;
}

/**
 * The random part that is added to a `Retry-After`, at most, as a share of it: clients that were asked for
 * the same wait do not return all at once.
 */
const retryAfterSpread = 0.2;

/** Milliseconds until the next attempt; null if the rule allows none. */
export function dueIn(
  { waits, times, within, longest, jitter = 0 }: Repetition,
  { count, elapsed, askedWait }: Failures,
  random: () => number = Math.random,
): number | null {
  const backOff = waits[Math.min(count, waits.length) - 1] ?? askedWait;
  const asked = askedWait ?? 0;
  if (backOff === null || count > times || asked > longest) return null;
  const chance = jitter === 0 ? 0 : random();
  const wait = Math.max(backOff * (1 - jitter * (1 - chance)), asked * (1 + retryAfterSpread * chance));
  return elapsed + wait <= within ? wait : null;
}

export interface Retried<T> {
  attempt(): Promise<T>;
  /** Milliseconds until the next attempt, usually by `dueIn`; null to give up. */
  next(error: unknown): number | null;
  /** Waits. What ends a wait early, such as the network's return, is the caller's. */
  pause(milliseconds: number): Promise<unknown>;
  signal: AbortSignal | undefined;
}

/** Rejects with the last error when `next` gives up, or with the signal's reason. */
export async function retrying<T>({ attempt, next, pause, signal }: Retried<T>): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const wait = next(error);
      if (wait === null) throw error;
      await pause(wait);
    }
  }
}
