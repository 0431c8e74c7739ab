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
