/** The three shops and their opening hours. */
import data from "./stores.json" with { type: "json" };

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

/** Opening and closing time, `HH:MM`, local; null if closed all day. */
type DayHours = readonly [string, string] | null;

export interface Store {
  id: string;
  name: string;
  phone: string | null;
  email: string;
  address: { street: string; town: string; postcode: string; country: string };
  hours: Record<Weekday, DayHours>;
  workshop: { kind: string; note: string; hours: Record<Weekday, DayHours> | null };
}

/** content.test.ts checks the file's shape. */
export const stores = data.stores as unknown as readonly Store[];
export const storeTimeZone = data.timeZone;

/** The opening hours of one calendar day (`YYYY-MM-DD`), with holidays. */
export function hoursOn(store: Store, date: string): { hours: DayHours; closure: string | undefined } {
  const closure = data.closures.find((day) => isOn(day, date));
  if (closure !== undefined) return { hours: null, closure: closure.label };
  const usual = store.hours[weekdayOf(date)];
  const early = data.earlyCloses.find((day) => isOn(day, date));
  if (usual === null || early === undefined) return { hours: usual, closure: undefined };
  return { hours: [usual[0], earlier(early.closes, usual[1])], closure: early.label };
}

/** The earlier of two times of a day. */
function earlier(a: string, b: string): string {
  return a.localeCompare(b) < 0 ? a : b;
}

function isOn(day: { date?: string; rule?: string }, date: string): boolean {
  return day.rule === "good-friday"
    ? date === goodFriday(Number(date.slice(0, 4)))
    : date.slice(5) === day.date;
}

/** Two days before Easter Sunday, by the Gregorian computus (Meeus, Jones, Butcher). */
export function goodFriday(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  const day = ((h + l - 7 * m + 114) % 31) + 1;
  return addDays(`${year}-${pad(month)}-${pad(day)}`, -2);
}

/** The Swedish locale formats dates as ISO 8601. */
const localFormat = new Intl.DateTimeFormat("sv-SE", {
  timeZone: storeTimeZone,
  dateStyle: "short",
  timeStyle: "short",
});

/** Date and time of day in the shops' time zone. */
export function localTime(now: Date): { date: string; time: string } {
  const text = localFormat.format(now);
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}

export function weekdayOf(date: string): Weekday {
  const index = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return weekdays[index] ?? "mon";
}

export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
