import { Temporal } from "@js-temporal/polyfill";
import { expect, test } from "vitest";
import { isFeast } from "./feasts.ts";

test.each(["2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28", "2028-04-16", "2038-04-25", "2285-03-22"])(
  "Easter Sunday is %s",
  (date) => {
    const sunday = Temporal.PlainDate.from(date);
    expect(isFeast("easter-sunday", sunday)).toBe(true);
    expect(isFeast("good-friday", sunday.subtract({ days: 2 }))).toBe(true);
    expect(isFeast("easter-monday", sunday.add({ days: 1 }))).toBe(true);
    expect(isFeast("ascension-day", sunday.add({ days: 39 }))).toBe(true);
    expect(isFeast("whit-monday", sunday.add({ days: 50 }))).toBe(true);
    expect(isFeast("easter-sunday", sunday.add({ days: 7 }))).toBe(false);
  },
);
