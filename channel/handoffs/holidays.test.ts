import { Temporal } from "@js-temporal/polyfill";
import { expect, test } from "vitest";
import { isHoliday } from "./holidays.ts";

test.each(["2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28", "2028-04-16", "2038-04-25", "2285-03-22"])(
  "Easter Sunday is %s",
  (date) => {
    const sunday = Temporal.PlainDate.from(date);
    expect(isHoliday("easter-sunday", sunday)).toBe(true);
    expect(isHoliday("good-friday", sunday.subtract({ days: 2 }))).toBe(true);
    expect(isHoliday("easter-monday", sunday.add({ days: 1 }))).toBe(true);
    expect(isHoliday("ascension-day", sunday.add({ days: 39 }))).toBe(true);
    expect(isHoliday("whit-monday", sunday.add({ days: 50 }))).toBe(true);
    expect(isHoliday("easter-sunday", sunday.add({ days: 7 }))).toBe(false);
  },
);
