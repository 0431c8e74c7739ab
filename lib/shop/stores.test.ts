import { expect, test } from "vitest";
import { goodFriday, hoursOn, localTime, type Store, stores } from "./stores.ts";

function store(id: string): Store {
  const found = stores.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no store ${id}`);
  return found;
}

test("computes the date of Good Friday", () => {
  expect([2025, 2026, 2027, 2028, 2038].map(goodFriday)).toEqual([
    "2025-04-18",
    "2026-04-03",
    "2027-03-26",
    "2028-04-14",
    "2038-04-23",
  ]);
});

test("reads the date and the time of day in the shops' time zone", () => {
  // British summer time: 09:00 in Kelderby is 08:00 UTC.
  expect(localTime(new Date("2026-06-09T07:59:00Z"))).toEqual({ date: "2026-06-09", time: "08:59" });
  expect(localTime(new Date("2026-01-08T19:30:00Z"))).toEqual({ date: "2026-01-08", time: "19:30" });
});

test("closes shops on holidays and early on Christmas Eve", () => {
  expect(hoursOn(store("kelderby"), "2026-04-03")).toEqual({ hours: null, closure: "Good Friday" });
  expect(hoursOn(store("brackwater"), "2025-12-24")).toEqual({
    hours: ["09:30", "13:00"],
    closure: "Christmas Eve",
  });
});
