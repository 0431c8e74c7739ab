/**
 * The moments of `team.json` at which the team's hours are worth a look. The lab's clock only goes forward, so each is
 * the next moment of its kind: the same weekday and time of day, the same day of the year, or the same night before the
 * clocks change.
 */
import { Temporal } from "@js-temporal/polyfill";
import team from "#lib/shop/team.json" with { type: "json" };
import type { Availability, Lab } from "./lab.ts";

type Recurrence = "weekly" | "yearly" | "with-the-clocks";

export interface ClockPreset {
  id: string;
  label: string;
  about: string;
  moment: { at: string; recurs: Recurrence } | { advanceSeconds: number } | null;
  hasHours: boolean;
  /** Whether the team is away then; undefined where the preset is about something else. */
  isAway: boolean | undefined;
}

export const clockPresets: readonly ClockPreset[] = team.clockPresets.map((preset) => ({
  id: preset.id,
  label: preset.label,
  about: preset.about,
  moment: momentOf(preset),
  hasHours: preset.hours !== null,
  isAway: preset.expect?.requiresEmail,
}));

function momentOf(preset: (typeof team.clockPresets)[number]): ClockPreset["moment"] {
  if (preset.advanceSeconds !== undefined) return { advanceSeconds: preset.advanceSeconds };
  const { at, recurs } = preset;
  if (typeof at !== "string") return null;
  if (recurs !== "weekly" && recurs !== "yearly" && recurs !== "with-the-clocks")
    throw new TypeError(`team.json: the preset ${preset.id} does not say how it recurs.`);
  return { at, recurs };
}

/** The first moment of the preset's kind after `now`. */
export function nextMoment(at: string, recurs: Recurrence, now: Date): Date {
  const zone = team.hours.timeZone;
  const wanted = Temporal.Instant.from(at).toZonedDateTimeISO(zone);
  const from = Temporal.Instant.from(now.toISOString()).toZonedDateTimeISO(zone);
  let moment = wanted;
  while (Temporal.ZonedDateTime.compare(moment, from) <= 0) moment = following(moment, wanted, recurs);
  return new Date(moment.epochMilliseconds);
}

function following(
  moment: Temporal.ZonedDateTime,
  wanted: Temporal.ZonedDateTime,
  recurs: Recurrence,
): Temporal.ZonedDateTime {
  if (recurs === "weekly") return moment.add({ weeks: 1 });
  if (recurs === "yearly") return moment.add({ years: 1 });
  // A day and more after the night before, the change itself is over; the same one comes a year later.
  const month = wanted.getTimeZoneTransition("next")?.month;
  let change = moment.add({ days: 2 }).getTimeZoneTransition("next");
  while (change !== null && change.month !== month) change = change.getTimeZoneTransition("next");
  if (change === null) throw new RangeError(`${moment.timeZoneId} does not change its clocks.`);
  return change.subtract({ days: 1 }).withPlainTime(wanted.toPlainTime());
}

/** A holiday may fall on the weekday that was meant. */
const weeksTried = 4;

export interface SetClock {
  now: Date;
  availability: Availability;
}

/** Sets the team's hours and the channel's clock as the preset says. */
export async function applyPreset(lab: Lab, { moment, hasHours, isAway }: ClockPreset): Promise<SetClock> {
  let availability = await lab.setHours(hasHours ? hoursOfTeam() : null);
  let now = await lab.now();
  if (moment === null) return { now, availability };
  if ("advanceSeconds" in moment) now = await lab.advance(moment.advanceSeconds);
  else {
    for (let tried = 0; tried < weeksTried; tried += 1) {
      const next = nextMoment(moment.at, moment.recurs, now);
      now = await lab.advance((next.getTime() - now.getTime()) / 1000);
      availability = await lab.readAvailability();
      if (isAway === undefined || availability.requiresEmail === isAway) break;
    }
  }
  return { now, availability: await lab.readAvailability() };
}

/** The shop's hours in the form of `/team/hours`. */
function hoursOfTeam(): object {
  const { timeZone, weekly, closures, earlyCloses } = team.hours;
  const early = earlyCloses.map(({ date, closes, label }) => ({ date, from: closes, label }));
  return { timeZone, weekly, closures: [...closures, ...early] };
}
