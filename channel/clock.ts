/**
 * The channel's clock. Every timestamp, expiry and schedule follows it; the lab moves it forward. Leases do not: they
 * are about processes that are alive, and use the database's clock.
 */
export interface Clock {
  now(): Date;
}

export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

/** Whole seconds from `now` until `moment`, at least one: what `Retry-After` and `RateLimit-Reset` tell. */
export function secondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
