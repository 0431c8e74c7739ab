import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../testing/unit/cases.ts";
import { TeamHours, weekdays } from "../db/team-hours.ts";
import { nextAvailableAt } from "./hours.ts";

const isOpen = (hours: TeamHours, at: Date) => nextAvailableAt(hours, at) === null;

const officeDay: [string, string][] = [["09:00", "17:30"]];

test("a closure with a year does not repeat", () => {
  const closures = [{ date: "2026-12-25" }];
  const hours = TeamHours.parse({ ...everyDay("UTC", officeDay), closures });
  expect(isOpen(hours, new Date("2026-12-25T10:00:00Z"))).toBe(false);
  expect(isOpen(hours, new Date("2027-12-25T10:00:00Z"))).toBe(true);
});

const [london, stJohns, apia] = ["Europe/London", "America/St_Johns", "Pacific/Apia"] as const;
const short: [string, string][] = [["01:10", "01:50"]];
const early: [string, string][] = [["01:30", "03:00"]];
const night: [string, string][] = [
  ["00:00", "06:00"],
  ["22:00", "24:00"],
];
const late: [string, string][] = [["00:00", "02:00"]];

// In London 01:00 GMT became 02:00 BST on 28 March 2027, and 02:00 BST became 01:00 GMT on 31 October. In St
// John's the clock went from 00:01 back to 23:01 of the day before on 7 November 2010. Samoa skipped 30
// December 2011.
test.each([
  ["overlapping the skipped hour, opens at the change", london, early, "2027-03-28T00:59", "T01:00"],
  ["within the skipped hour, does not open", london, short, "2027-03-28T00:59", "2027-03-29T00:10"],
  ["within the repeated hour, opens", london, short, "2027-10-31T00:00", "T00:10"],
  ["within the repeated hour, opens only once", london, short, "2027-10-31T01:20", "2027-11-01T01:10"],
  ["over midnight, is open in the skipped hour", london, night, "2027-03-28T01:00", null],
  ["over midnight, is open in the repeated hour", london, night, "2027-10-31T01:30", null],
  ["of a day that begins twice, opens at midnight", stJohns, late, "2010-11-07T02:29", "T02:30"],
  ["of a day that begins twice, ends", stJohns, late, "2010-11-07T05:30", "2010-11-08T03:30"],
  ["of a day that the zone skips, does not open", apia, officeDay, "2011-12-30T05:00", "T19:00"],
])("a period %s", (_name, timezone, periods, at, next) => {
  const day = at.slice(0, "2027-03-28".length);
  const expected = next === null ? null : new Date(`${next.startsWith("T") ? day + next : next}Z`);
  expect(nextAvailableAt(everyDay(timezone, periods), new Date(`${at}Z`))).toEqual(expected);
});

test.each([
  [{ timeZone: "Mars/Olympus", weekly: { mon: officeDay } }, "/timeZone"],
  [{ timeZone: "+01:00", weekly: { mon: officeDay } }, "/timeZone"],
  [{ timeZone: "Europe/London", weekly: {} }, "/weekly"],
  [{ timeZone: "Europe/London", weekly: { mon: [["18:00", "02:00"]] } }, "/weekly/mon/0/1"],
  [{ timeZone: "Europe/London", weekly: { mon: [...officeDay, ["17:00", "18:00"]] } }, "/weekly/mon"],
  [{ timeZone: "Europe/London", weekly: { mon: [["9:00", "17:00"]] } }, "/weekly/mon/0/0"],
  [{ timeZone: "Europe/London", weekly: { mon: [["09:00", "09:00"]] } }, "/weekly/mon/0/1"],
  [
    { timeZone: "Europe/London", weekly: { mon: officeDay }, closures: [{ date: "2027-02-29" }] },
    "/closures/0/date",
  ],
  [
    { timeZone: "Europe/London", weekly: { mon: officeDay }, closures: [{ label: "Fair" }] },
    "/closures/0/date",
  ],
])("rejects invalid hours and points at the fault (%#)", (hours, pointer) => {
  const result = TeamHours.safeParse(hours);
  expect(result.error?.issues.map((issue) => `/${issue.path.join("/")}`)).toContain(pointer);
});

const timezones = [
  "Europe/London",
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "America/Havana",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Asia/Gaza",
  "Africa/Casablanca",
  "Antarctica/Troll",
  "Pacific/Chatham",
  "UTC",
];

const arbitraryDay = fc
  .uniqueArray(fc.integer({ min: 0, max: 96 }), { maxLength: 6 })
  .map((quarters) => quarters.toSorted((a, b) => a - b))
  .map((quarters) =>
    quarters.flatMap((from, index) => {
      const to = quarters[index + 1];
      return index % 2 === 0 && to !== undefined ? [[clock(from * 15), clock(to * 15)] as const] : [];
    }),
  );

const arbitraryHours = fc
  .record({
    timezone: fc.constantFrom(...timezones),
    days: fc.tuple(...weekdays.map(() => arbitraryDay)),
    closures: fc.array(
      fc.record({
        day: fc.integer({ min: 1, max: 28 }),
        month: fc.integer({ min: 1, max: 12 }),
        span: fc.constantFrom({}, { from: "12:15" }, { to: "12:15" }, { from: "10:00", to: "11:00" }),
      }),
      { maxLength: 4 },
    ),
  })
  .filter(({ days }) => days.some((day) => day.length > 0))
  .map(({ timezone, days, closures }) =>
    TeamHours.parse({
      timeZone: timezone,
      weekly: Object.fromEntries(weekdays.map((day, index) => [day, days[index]])),
      closures: closures.map(({ day, month, span }) => ({
        date: `${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`,
        ...span,
      })),
    }),
  );

/** Any minute from 1999 to 2035, and the hours around clock changes, where faults are likely. */
const arbitraryMoment = fc
  .oneof(
    fc.integer({ min: Date.UTC(1999, 0), max: Date.UTC(2035, 0) }),
    fc
      .record({
        change: fc.constantFrom(
          Date.UTC(2027, 2, 28, 1),
          Date.UTC(2027, 9, 31, 1),
          Date.UTC(2027, 2, 14, 7),
          Date.UTC(2027, 10, 7, 6),
          Date.UTC(2010, 10, 7, 2, 31),
          Date.UTC(2018, 1, 18, 2),
          Date.UTC(2018, 10, 4, 3),
          Date.UTC(2026, 3, 4, 15),
        ),
        minutes: fc.integer({ min: -300, max: 300 }),
      })
      .map(({ change, minutes }) => change + minutes * 60_000),
  )
  .map((time) => new Date(Math.floor(time / 60_000) * 60_000));

test("is open exactly when the wall clock says so", () => {
  fc.assert(
    fc.property(arbitraryHours, arbitraryMoment, (hours, at) => {
      expect(isOpen(hours, at)).toBe(isOpenByTheWall(hours, at));
    }),
    { numRuns: cases(250) },
  );
});

test("the next opening is the earliest later moment that is open", () => {
  fc.assert(
    fc.property(
      arbitraryHours,
      arbitraryMoment,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (hours, at, share) => {
        const next = nextAvailableAt(hours, at);
        if (next === null) return;
        expect(next.getTime()).toBeGreaterThan(at.getTime());
        expect(isOpen(hours, next)).toBe(true);
        expect(isOpen(hours, new Date(next.getTime() - 1))).toBe(false);
        const between = new Date(at.getTime() + Math.floor((next.getTime() - 1 - at.getTime()) * share));
        expect(nextAvailableAt(hours, between)).toEqual(next);
      },
    ),
    { numRuns: cases(250) },
  );
});

/**
 * Opening hours from Intl alone: the day and minute are the latest wall-clock time that the zone has shown so
 * far.
 */
function isOpenByTheWall(hours: TeamHours, at: Date): boolean {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: hours.timeZone,
    dateStyle: "short",
    timeStyle: "short",
    hourCycle: "h23",
  });
  let latest = "";
  for (let minutes = 0; minutes <= 240; minutes += 1) {
    const shown = format.format(at.getTime() - minutes * 60_000).replace(", ", "T");
    if (shown > latest) latest = shown;
  }
  const [date = "", time = ""] = latest.split("T");
  const weekday = weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? "mon";
  const covers = (span: { from?: string | undefined; to?: string | undefined }) =>
    (span.from ?? "00:00") <= time && time < (span.to ?? "24:00");
  const isClosed = hours.closures.some((closure) => date.endsWith(closure.date) && covers(closure));
  return hours.weekly[weekday].some(([from, to]) => covers({ from, to })) && !isClosed;
}

function everyDay(timezone: string, periods: readonly (readonly [string, string])[]): TeamHours {
  return TeamHours.parse({
    timeZone: timezone,
    weekly: Object.fromEntries(weekdays.map((day) => [day, periods])),
  });
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
