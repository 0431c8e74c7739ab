/** Public holidays that move with Easter, so that hours need no new dates each year. */
import { Temporal } from "@js-temporal/polyfill";

export const feasts = [
  "good-friday",
  "easter-sunday",
  "easter-monday",
  "ascension-day",
  "whit-monday",
] as const;
export type Feast = (typeof feasts)[number];

const daysAfterEaster: Record<Feast, number> = {
  "good-friday": -2,
  "easter-sunday": 0,
  "easter-monday": 1,
  "ascension-day": 39,
  "whit-monday": 50,
};

export function isFeast(feast: Feast, date: Temporal.PlainDate): boolean {
  return easterSunday(date.year).add({ days: daysAfterEaster[feast] }).equals(date);
}

/** Western Easter: the Sunday after the first full moon of spring, by the Gregorian calendar's tables (Knuth, TAOCP 1.3.2, exercise 14). */
function easterSunday(year: number): Temporal.PlainDate {
  const goldenNumber = (year % 19) + 1;
  const century = Math.floor(year / 100) + 1;
  const leapYearsDropped = Math.floor((3 * century) / 4) - 12;
  const moonCorrection = Math.floor((8 * century + 5) / 25) - 5;
  const sundayOffset = Math.floor((5 * year) / 4) - leapYearsDropped - 10;
  const age = (11 * goldenNumber + 20 + moonCorrection - leapYearsDropped) % 30;
  const epact = age === 24 || (age === 25 && goldenNumber > 11) ? age + 1 : age;
  const fullMoon = 44 - epact < 21 ? 74 - epact : 44 - epact;
  const sunday = fullMoon + 7 - ((sundayOffset + fullMoon) % 7);
  return Temporal.PlainDate.from({ year, month: 3, day: 1 }).add({ days: sunday - 1 });
}
