import type { Database } from "./db/database.ts";
import type { ReachKillPoint } from "./kill-points.ts";
import type { ReportError } from "./report-error.ts";

/** The parts of a channel that most of its functions work on. Each takes those that it needs. */
export interface Core {
  database: Database;
  channelKey: string;
  clock: Clock;
  reach: ReachKillPoint;
  report: ReportError;
}

/**
 * The channel's clock. The timestamps, expiries and opening hours of the Chat API follow it, and the lab can
 * move it forward. Leases use the database's clock instead: they say whether a process is alive.
 */
export interface Clock {
  now(): Date;
}

export function addTime(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

/** Whole seconds from `now` until `moment`, at least one, for `Retry-After` and `RateLimit-Reset`. */
export function secondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
