/**
 * Computes opening times from the team's hours. One rule covers daylight saving time: a wall-clock time means
 * the first moment at which the clock shows that time or later. A skipped time is the moment of the change, a
 * repeated time its first occurrence, and no moment belongs to two days.
 */
import { Temporal } from "@js-temporal/polyfill";
import type { ChatRow } from "../chats/chat-store.ts";
import { type Closure, type TeamHours, type Weekday, weekdays } from "../db/team-hours.ts";

/** How far ahead to search. Any valid week opens within it, even with the maximum number of closures. */
const horizonDays = 5 * 366;
const minutesPerDay = 24 * 60;

/** A half-open range, in minutes of the wall clock's day or in epoch milliseconds. */
interface Span {
  from: number;
  to: number;
}

/** The team's availability as offers and chats show it (docs/chat-api.md, "HandoffOffer", "Handoff"). */
export interface Availability {
  /** True if the team is away and will reply by email. */
  requiresEmail: boolean;
  /** Null when the team is available now. */
  nextAvailableAt: Date | null;
  /** Null when the team keeps no hours: it is then always available. */
  timezone: string | null;
}

export function availabilityAt(hours: TeamHours | null, at: Date): Availability {
  if (hours === null) return { requiresEmail: false, nextAvailableAt: null, timezone: null };
  const next = nextAvailableAt(hours, at);
  return { requiresEmail: next !== null, nextAvailableAt: next, timezone: hours.timeZone };
}

/** Replaces the availability that a waiting chat has stored since its handoff request by the current one. */
export function withCurrentAvailability(chat: ChatRow, hours: TeamHours | null, now: Date): ChatRow {
  if (chat.handoffStatus !== "waiting") return chat;
  const { nextAvailableAt, timezone } = availabilityAt(hours, now);
  return { ...chat, handoffNextAvailableAt: nextAvailableAt, handoffTimezone: timezone };
}

/** When the team is next available; null when it is available at `at`. */
export function nextAvailableAt(hours: TeamHours, at: Date): Date | null {
  const now = at.getTime();
  for (const opening of openings(hours, now)) {
    if (opening.to <= now) continue;
    return opening.from <= now ? null : new Date(opening.from);
  }
  throw new RangeError("The team's hours hold no opening.");
}

/** The openings around and after `now`, in order. */
function* openings(hours: TeamHours, now: number): Generator<Span> {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(hours.timeZone).toPlainDate();
  // By the rule in the file's header, no period of an earlier day reaches into today, even when clocks go
  // back over midnight.
  for (let offset = 0; offset <= horizonDays; offset += 1) {
    const date = today.add({ days: offset });
    for (const period of openMinutes(hours, date)) {
      const from = momentOf(hours.timeZone, date, period.from);
      const to = momentOf(hours.timeZone, date, period.to);
      if (from < to) yield { from, to };
    }
  }
}

/** The day's opening periods without its closures. */
function openMinutes(hours: TeamHours, date: Temporal.PlainDate): Span[] {
  const weekday: Weekday | undefined = weekdays[date.dayOfWeek - 1];
  if (weekday === undefined) throw new RangeError(`ISO day of week ${date.dayOfWeek}`);
  let periods = hours.weekly[weekday].map(([from, to]) => ({ from: minutesOf(from), to: minutesOf(to) }));
  if (periods.length === 0) return periods;
  for (const closure of hours.closures) {
    if (!isOn(closure, date)) continue;
    const closed = { from: minutesOf(closure.from ?? "00:00"), to: minutesOf(closure.to ?? "24:00") };
    periods = periods.flatMap((period) => without(period, closed));
  }
  return periods;
}

function isOn(closure: Closure, date: Temporal.PlainDate): boolean {
  const text = date.toString();
  return closure.date.length === text.length ? closure.date === text : text.endsWith(`-${closure.date}`);
}

function without(period: Span, closed: Span): Span[] {
  return [
    { from: period.from, to: Math.min(period.to, closed.from) },
    { from: Math.max(period.from, closed.to), to: period.to },
  ].filter(({ from, to }) => from < to);
}

function minutesOf(timeOfDay: string): number {
  return Number(timeOfDay.slice(0, 2)) * 60 + Number(timeOfDay.slice(3));
}

/** The first moment, in epoch milliseconds, at which the wall clock shows `minutes` of `date` or later. */
function momentOf(timezone: string, date: Temporal.PlainDate, minutes: number): number {
  const wall = date
    .add({ days: Math.floor(minutes / minutesPerDay) })
    .toPlainDateTime({ hour: Math.floor((minutes % minutesPerDay) / 60), minute: minutes % 60 });
  const earlier = wall.toZonedDateTime(timezone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(wall)) return earlier.epochMilliseconds;
  // The clock skips this time. "earlier" is before the change, but the first later moment is the change
  // itself.
  const change = earlier.getTimeZoneTransition("next");
  if (change === null) throw new RangeError(`${wall.toString()} does not exist in ${timezone}`);
  return change.epochMilliseconds;
}
