import { expect, test } from "vitest";
import { TeamHours } from "../db/team-hours.ts";
import { formFromHours, hoursOf } from "./hours-form.ts";

const hours = TeamHours.parse({
  timeZone: "Europe/London",
  weekly: {
    mon: [["09:00", "17:30"]],
    wed: [
      ["09:00", "12:30"],
      ["13:30", "17:30"],
    ],
    sat: [["00:00", "24:00"]],
  },
  closures: [
    { date: "12-25", label: "Christmas Day" },
    { rule: "good-friday" },
    { date: "12-24", from: "13:00", to: "24:00", label: "Christmas Eve" },
    { date: "2027-05-03", from: "00:00", to: "12:00" },
  ],
});

test("hours survive formatting and parsing", () => {
  const form = formFromHours(hours);
  expect(form).toMatchObject({ mon: "09:00-17:30", wed: "09:00-12:30, 13:30-17:30", sun: "" });
  expect(form.closures.split("\n")).toEqual([
    "12-25 Christmas Day",
    "good-friday",
    "12-24 13:00-24:00 Christmas Eve",
    "2027-05-03 00:00-12:00",
  ]);
  expect(hoursOf(form)).toEqual({ hours });
});

test("accepts spaces, other dashes, empty lines and open ends", () => {
  const form = {
    ...formFromHours(hours),
    mon: " 09:00 – 17:30 ;",
    closures: "\n  12-24 13:00-  Christmas Eve \n\n",
  };
  expect(hoursOf(form)).toMatchObject({
    hours: {
      weekly: { mon: [["09:00", "17:30"]] },
      closures: [{ date: "12-24", from: "13:00", label: "Christmas Eve" }],
    },
  });
});

test.each([
  [{ timeZone: "Mars/X" }, /^Time zone: /],
  [{ mon: "9-5" }, /^Opening hours, mon: /],
  [{ mon: "17:00-09:00" }, /^Opening hours, mon: /],
  [{ closures: "12-25\nChristmas" }, /^Closures, “Christmas”: /],
  [{ mon: "", wed: "", sat: "" }, /^Opening hours: /],
])("names the fault and its line (%#)", (changes, sentence) => {
  const parsed = hoursOf({ ...formFromHours(hours), ...changes });
  expect("faults" in parsed && parsed.faults[0]).toMatch(sentence);
});

test("a team that keeps no hours has an empty form", () => {
  expect(formFromHours(null)).toMatchObject({ timeZone: "Europe/London", mon: "", closures: "" });
});
