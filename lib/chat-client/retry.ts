/** When a failed request is due again. */
import type { Repetition } from "../chat-api/errors.ts";

export interface FailedRequest {
  /** Failures in a row, this one included. */
  count: number;
  /** Milliseconds since the first of them. */
  elapsed: number;
  /** What the server asked for, in milliseconds; null if it asked for nothing. */
  askedWait: number | null;
}

/** Milliseconds until the next attempt; null if the rule allows none. */
export function dueIn(rule: Repetition, { count, elapsed, askedWait }: FailedRequest): number | null {
  const backOff = rule.waits[Math.min(count, rule.waits.length) - 1] ?? askedWait;
  if (backOff === null || count > rule.times || (askedWait ?? 0) > rule.longest) return null;
  const wait = Math.max(backOff, askedWait ?? 0);
  return elapsed + wait <= rule.within ? wait : null;
}
