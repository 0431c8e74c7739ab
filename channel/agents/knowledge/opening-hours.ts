/** When the shops are open, from their timetable, by the clock of the place where they are. */
import { type Store, type Stores, weekdays } from "./shop-data.ts";

export interface LocalTime {
  /** 0 is Monday. */
  weekday: number;
  /** "14:05" */
  time: string;
  year: number;
  month: number;
  day: number;
}

const parts = new Map<string, Intl.DateTimeFormat>();

export function localTime(now: Date, timeZone: string): LocalTime {
  let format = parts.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    parts.set(timeZone, format);
  }
  const values = new Map(format.formatToParts(now).map((part) => [part.type, part.value]));
  const short = values.get("weekday")?.toLowerCase() ?? "";
  const weekday = weekdays.findIndex((name) => short.startsWith(name));
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(values.get(type));
  return {
    weekday,
    time: `${values.get("hour")}:${values.get("minute")}`,
    year: number("year"),
    month: number("month"),
    day: number("day"),
  };
}

/** The hours of the day that is `daysAhead` from now; null when the shop is closed then. */
export function hoursOn(
  store: Store,
  stores: Stores,
  now: Date,
  daysAhead: number,
): readonly [string, string] | null {
  const today = localTime(now, stores.timeZone);
  const date = new Date(Date.UTC(today.year, today.month - 1, today.day + daysAhead));
  const monthAndDay = date.toISOString().slice(5, 10);
  const closed = stores.closures.some((closure) =>
    "rule" in closure ? isGoodFriday(date) : closure.date === monthAndDay,
  );
  if (closed) return null;
  const name = weekdays[(today.weekday + daysAhead) % weekdays.length];
  const hours = name === undefined ? null : store.hours[name];
  const early = stores.earlyCloses.find((each) => each.date === monthAndDay);
  if (!hours || !early || hours[1] <= early.closes) return hours;
  return hours[0] < early.closes ? [hours[0], early.closes] : null;
}

/** Two days before Easter Sunday, by the method of Meeus, Jones and Butcher for the Gregorian calendar. */
function isGoodFriday(date: Date): boolean {
  const year = date.getUTCFullYear();
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const dominical = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
  const shift = Math.floor((golden + 11 * epact + 22 * dominical) / 451);
  const sum = epact + dominical - 7 * shift + 114;
  const easter = Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1);
  return date.getTime() === easter - 2 * 24 * 60 * 60 * 1000;
}
