/**
 * Presets of `team.json` for interesting moments of the team's hours. The lab's clock only goes forward, so a
 * preset with a time means the next such moment: a weekday and time of day, a day of the year, or the night
 * before a clock change.
 */
import { Temporal } from "@js-temporal/polyfill";
import team from "#lib/shop/team.json" with { type: "json" };
import type { Availability, Lab } from "../../testing/lab/lab-client.ts";

type Recurrence = "weekly" | "yearly" | "with-the-clocks";

export interface ClockPreset {
  id: string;
  label: string;
  about: string;
  moment: { at: string; recurs: Recurrence } | { advanceSeconds: number } | null;
  hasHours: boolean;
  /** Whether the team is away at that moment; undefined when the preset is not about that. */
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

/** The preset's first moment after `now`. */
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
  // More than a day after that night the change is over, and the next one of its kind is a year later.
  const month = wanted.getTimeZoneTransition("next")?.month;
  let change = moment.add({ days: 2 }).getTimeZoneTransition("next");
  while (change !== null && change.month !== month) change = change.getTimeZoneTransition("next");
  if (change === null) throw new RangeError(`${moment.timeZoneId} does not change its clocks.`);
  return change.subtract({ days: 1 }).withPlainTime(wanted.toPlainTime());
}

/** Number of moments to try, because the weekday may be a holiday. */
const momentsTried = 4;

export interface SetClock {
  now: Date;
  availability: Availability;
}

/** Sets the team's hours and the channel's clock to the preset. */
export async function applyPreset(lab: Lab, { moment, hasHours, isAway }: ClockPreset): Promise<SetClock> {
  let availability = await lab.setHours(hasHours ? team.hours : null);
  let now = await lab.now();
  if (moment === null) return { now, availability };
  if ("advanceSeconds" in moment) now = await lab.advance(moment.advanceSeconds);
  else {
    for (let tried = 0; tried < momentsTried; tried += 1) {
      const next = nextMoment(moment.at, moment.recurs, now);
      now = await lab.advance((next.getTime() - now.getTime()) / 1000);
      availability = await lab.readAvailability();
      if (isAway === undefined || availability.requiresEmail === isAway) break;
    }
  }
  return { now, availability: await lab.readAvailability() };
}
