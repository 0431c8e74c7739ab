/** The dates of the public holidays that move with Easter. */
import { Temporal } from "@js-temporal/polyfill";
import type { MovingHoliday } from "../db/team-hours.ts";

const daysAfterEaster: Record<MovingHoliday, number> = {
  "good-friday": -2,
  "easter-sunday": 0,
  "easter-monday": 1,
  "ascension-day": 39,
  "whit-monday": 50,
};

export function isHoliday(holiday: MovingHoliday, date: Temporal.PlainDate): boolean {
  return easterSunday(date.year).add({ days: daysAfterEaster[holiday] }).equals(date);
}

/**
 * Western Easter: the Sunday after the first full moon of spring, by the Gregorian calendar's tables (Knuth,
 * TAOCP 1.3.2, exercise 14).
 */
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
