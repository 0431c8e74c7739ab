/** The team's hours as a person types them: `09:00-12:30, 13:30-17:30` for a day, one closure per line. */
import type { z } from "zod";
import { type Closure, movingHolidays, TeamHours, type Weekday, weekdays } from "../db/team-hours.ts";

const inputs = ["timeZone", ...weekdays, "closures"] as const;

export type HoursForm = Record<(typeof inputs)[number], string>;

export function formFromFields(fields: Readonly<Record<string, string>>): HoursForm {
  // One entry for each field name.
  return Object.fromEntries(inputs.map((name) => [name, fields[name] ?? ""])) as HoursForm;
}

export function formFromHours(hours: TeamHours | null): HoursForm {
  const days = weekdays.map((day) => [
    day,
    hours?.weekly[day].map((period) => period.join("-")).join(", ") ?? "",
  ]);
  return {
    timeZone: hours?.timeZone ?? "Europe/London",
    closures: hours?.closures.map(closureLine).join("\n") ?? "",
    // One entry for each weekday, from the list of them.
    ...(Object.fromEntries(days) as Record<Weekday, string>),
  };
}

/** The hours, or a sentence for each fault. */
export function hoursOf(form: HoursForm): { hours: TeamHours } | { faults: string[] } {
  const weekly = Object.fromEntries(weekdays.map((day) => [day, periodsOf(form[day])]));
  const closures = form.closures
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(closureOf);
  const parsed = TeamHours.safeParse({ timeZone: form.timeZone.trim(), weekly, closures });
  if (parsed.success) return { hours: parsed.data };
  return { faults: parsed.error.issues.map((issue) => faultOf(issue, form)) };
}

function periodsOf(text: string): string[][] {
  const parts = text.split(/[,;]/).map((part) => part.trim());
  return parts.filter((part) => part !== "").map((part) => part.split(/\s*[-–]\s*/));
}

/**
 * `12-25 Christmas Day`, `good-friday`, `12-24 13:00-24:00 Christmas Eve`, `2027-05-03 -12:00 Late start`.
 */
function closureOf(line: string): Partial<Closure> {
  const [, name = "", from, to, label] =
    /^(\S+)(?:\s+(\d\d:\d\d)?[-–](\d\d:\d\d)?(?=\s|$))?(?:\s+(.+))?$/.exec(line) ?? [];
  const holiday = movingHolidays.find((one) => one === name);
  return {
    ...(holiday === undefined ? { date: name } : { rule: holiday }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(label === undefined ? {} : { label }),
  };
}

function closureLine(closure: Closure): string {
  const span =
    closure.from === undefined && closure.to === undefined
      ? ""
      : ` ${closure.from ?? "00:00"}-${closure.to ?? "24:00"}`;
  const label = closure.label === undefined ? "" : ` ${closure.label}`;
  return `${closure.date ?? closure.rule}${span}${label}`;
}

const fieldNames: Record<string, string> = {
  timeZone: "Time zone",
  weekly: "Opening hours",
  closures: "Closures",
};

function faultOf(issue: z.core.$ZodIssue, form: HoursForm): string {
  const [part, detail] = issue.path;
  const name = fieldNames[String(part)] ?? "Hours";
  if (part === "weekly" && detail !== undefined) return `${name}, ${String(detail)}: ${issue.message}.`;
  if (part === "closures" && typeof detail === "number") {
    const line = form.closures.split("\n").filter((one) => one.trim() !== "")[detail] ?? "";
    return `${name}, “${line.trim()}”: ${issue.message}.`;
  }
  return `${name}: ${issue.message}.`;
}
