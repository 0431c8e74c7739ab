import { expect, test } from "vitest";
import { clockPresets, nextMoment } from "./clock-presets.ts";

const next = (at: string, recurs: Parameters<typeof nextMoment>[1], now: string) =>
  nextMoment(at, recurs, new Date(now)).toISOString();

test("finds the next weekday and time of day, even across a clock change", () => {
  const saturdayNight = "2026-06-13T21:00:00.000Z";
  expect(next(saturdayNight, "weekly", "2026-06-13T20:59:00.000Z")).toBe(saturdayNight);
  expect(next(saturdayNight, "weekly", saturdayNight)).toBe("2026-06-20T21:00:00.000Z");
  // 22:00 in London is 22:00 UTC in winter.
  expect(next(saturdayNight, "weekly", "2026-11-20T23:00:00.000Z")).toBe("2026-11-21T22:00:00.000Z");
});

test("finds the next day of the year with the same date", () => {
  const christmasEve = "2026-12-24T13:05:00.000Z";
  expect(next(christmasEve, "yearly", "2026-11-20T00:00:00.000Z")).toBe(christmasEve);
  expect(next(christmasEve, "yearly", "2026-12-25T00:00:00.000Z")).toBe("2027-12-24T13:05:00.000Z");
});

test("finds the night before the next clock change", () => {
  const march = "2026-03-28T22:00:00.000Z";
  const october = "2026-10-24T21:00:00.000Z";
  expect(next(march, "with-the-clocks", "2026-11-20T00:00:00.000Z")).toBe("2027-03-27T22:00:00.000Z");
  expect(next(october, "with-the-clocks", "2026-10-24T21:00:00.000Z")).toBe("2027-10-30T21:00:00.000Z");
  expect(next(march, "with-the-clocks", "2027-03-27T22:00:00.000Z")).toBe("2028-03-25T22:00:00.000Z");
});

test("reads the presets of team.json with their moments and hours", () => {
  expect(clockPresets).toHaveLength(11);
  expect(clockPresets.find(({ id }) => id === "no-hours")).toMatchObject({ moment: null, hasHours: false });
  expect(clockPresets.find(({ id }) => id === "saturday-night")).toMatchObject({
    hasHours: true,
    isAway: true,
  });
});
