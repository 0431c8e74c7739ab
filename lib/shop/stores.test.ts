import { expect, test } from "vitest";
import { findStore, goodFriday, hoursOn, openingState, type Store } from "./stores.ts";

function store(id: string): Store {
  const found = findStore(id);
  if (found === undefined) throw new Error(`no store ${id}`);
  return found;
}
const at = (id: string, instant: string) => openingState(store(id), new Date(instant));

test("computes the date of Good Friday", () => {
  expect([2025, 2026, 2027, 2028, 2038].map(goodFriday)).toEqual([
    "2025-04-18",
    "2026-04-03",
    "2027-03-26",
    "2028-04-14",
    "2038-04-23",
  ]);
});

test("is open from the first minute to the last, in the shop's time zone", () => {
  // British summer time: 09:00 in Kelderby is 08:00 UTC.
  expect(at("kelderby", "2026-06-09T07:59:00Z")).toMatchObject({ open: false, daysAhead: 0, at: "09:00" });
  expect(at("kelderby", "2026-06-09T08:00:00Z")).toEqual({ open: true, until: "18:00" });
  expect(at("kelderby", "2026-06-09T16:59:00Z")).toEqual({ open: true, until: "18:00" });
  expect(at("kelderby", "2026-06-09T17:00:00Z")).toMatchObject({ open: false, daysAhead: 1, weekday: "wed" });
  expect(at("kelderby", "2026-01-08T19:30:00Z")).toEqual({ open: true, until: "20:00" });
});

test("says when a shop opens after several closed days", () => {
  expect(at("ostle-quay", "2026-06-07T20:00:00Z")).toMatchObject({
    daysAhead: 3,
    weekday: "wed",
    at: "10:00",
  });
  expect(at("brackwater", "2026-06-13T20:00:00Z")).toMatchObject({
    daysAhead: 3,
    weekday: "tue",
    at: "09:30",
  });
});

test("closes shops on holidays and early on Christmas Eve", () => {
  expect(at("kelderby", "2026-12-24T12:30:00Z")).toEqual({ open: true, until: "13:00" });
  expect(at("kelderby", "2026-12-25T12:00:00Z")).toMatchObject({
    open: false,
    daysAhead: 2,
    weekday: "sun",
    at: "10:00",
    reason: "Christmas Day",
  });
  expect(hoursOn(store("kelderby"), "2026-04-03")).toEqual({ hours: null, closure: "Good Friday" });
  expect(hoursOn(store("brackwater"), "2025-12-24")).toEqual({
    hours: ["09:30", "13:00"],
    closure: "Christmas Eve",
  });
});
