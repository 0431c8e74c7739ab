/**
 * Moments worth moving the clock to, derived from the team's hours. All are in the future, because the lab's
 * clock only moves forward.
 */
import { Temporal } from "@js-temporal/polyfill";
import type { TeamHours } from "../db/team-hours.ts";
import { isOpen, nextAvailableAt } from "../handoffs/hours.ts";

export interface ClockMoment {
  label: string;
  at: Date;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export function clockMoments(hours: TeamHours | null, now: Date): ClockMoment[] {
  const steps: ClockMoment[] = [
    { label: "25 hours later: unsent files are gone", at: new Date(now.getTime() + 25 * hour) },
    { label: "31 days later: keys of new chats are forgotten", at: new Date(now.getTime() + 31 * day) },
  ];
  return hours === null ? steps : [...teamMoments(hours, now), ...steps];
}

function teamMoments(hours: TeamHours, now: Date): ClockMoment[] {
  const opening = nextAvailableAt(hours, now);
  const open = opening ?? now;
  const closing = closingAfter(hours, open);
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(hours.timeZone);
  const saturdayNight = here.add({ days: (6 - here.dayOfWeek + 7) % 7 }).withPlainTime({ hour: 22 });
  const moments: (ClockMoment | null)[] = [
    opening === null ? null : { label: "The team's next opening", at: opening },
    closing === null
      ? null
      : { label: "A minute before it closes", at: new Date(closing.getTime() - minute) },
    closing === null ? null : { label: "A minute after it closed", at: new Date(closing.getTime() + minute) },
    { label: "Saturday night", at: dateOf(saturdayNight) },
    nightBeforeClockChange(here),
    { label: "Christmas Eve, 13:05", at: dateOf(nextChristmasEve(here)) },
  ];
  return moments.filter((moment) => moment !== null).filter((moment) => moment.at > now);
}

/**
 * When the team closes after `open`. Searches two weeks minute by minute, because hours end on whole minutes.
 */
function closingAfter(hours: TeamHours, open: Date): Date | null {
  for (let at = open.getTime(); at < open.getTime() + 14 * day; at += minute)
    if (!isOpen(hours, new Date(at))) return new Date(Math.floor(at / minute) * minute);
  return null;
}

function nightBeforeClockChange(here: Temporal.ZonedDateTime): ClockMoment | null {
  const change = here.getTimeZoneTransition("next");
  if (change === null) return null;
  return { label: "The night before the clocks change", at: new Date(change.epochMilliseconds - 4 * hour) };
}

function nextChristmasEve(here: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const thisYear = here.with({ month: 12, day: 24 }).withPlainTime({ hour: 13, minute: 5 });
  return Temporal.ZonedDateTime.compare(thisYear, here) > 0 ? thisYear : thisYear.add({ years: 1 });
}

function dateOf(moment: Temporal.ZonedDateTime): Date {
  return new Date(moment.epochMilliseconds);
}
