/**
 * The team's opening hours, as an operator writes them. They decide an offer's `timezone`, `nextAvailableAt`
 * and `requiresEmail`.
 */
import { z } from "zod";
import { utf16Max } from "#lib/chat-api/schema-parts.ts";

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

const TimeOfDay = z
  .string()
  .regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$/, { error: "must be a time of day, 00:00 to 24:00" });

/**
 * Open from the first time up to the second, exclusive. Hours past midnight take two periods, one per day.
 */
const Period = z
  .tuple([TimeOfDay, TimeOfDay])
  .refine(([from, to]) => from < to, { path: [1], error: "must be later than the time before it" });

const Day = z
  .array(Period)
  .max(8)
  .refine(
    (periods) =>
      periods.every((period, index) => index === 0 || (periods[index - 1]?.[1] ?? "") <= period[0]),
    { error: "must be in order, without overlap" },
  )
  .default([]);

/**
 * A day, or part of one, on which the team is away despite its weekly hours: a single date (`2027-03-26`) or
 * a yearly date (`12-25`). Without `from` and `to` it lasts all day.
 */
export const Closure = z
  .strictObject({
    date: z.string().refine(isCalendarDate, { error: "must be a date, as 2027-03-26 or 12-25" }),
    label: utf16Max(200).optional(),
    from: TimeOfDay.optional(),
    to: TimeOfDay.optional(),
  })
  .refine((closure) => (closure.from ?? "00:00") < (closure.to ?? "24:00"), {
    path: ["to"],
    error: "must be later than `from`",
  });
export type Closure = z.infer<typeof Closure>;

export const TeamHours = z.strictObject({
  timeZone: z.string().refine(isTimeZone, { error: "must be a time zone's IANA name, as Europe/London" }),
  weekly: z
    .strictObject({ mon: Day, tue: Day, wed: Day, thu: Day, fri: Day, sat: Day, sun: Day })
    .refine((week) => weekdays.some((day) => week[day].length > 0), {
      error: "must hold at least one period: a team that is never available cannot say when it will be",
    }),
  // The bound guarantees an opening within the years that `nextAvailableAt` searches.
  closures: z.array(Closure).max(100).default([]),
});
export type TeamHours = z.infer<typeof TeamHours>;

function isCalendarDate(date: string): boolean {
  // A yearly date may be 29 February, so it is checked against a leap year.
  return [date, `2024-${date}`].some((text) => z.iso.date().safeParse(text).success);
}

function isTimeZone(name: string): boolean {
  // Fixed offsets ("+01:00") are refused: they ignore daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
