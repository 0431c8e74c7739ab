import { expect, test } from "vitest";
import { createFormat, isTimeZone, moneyOf } from "./format.ts";

const now = () => Date.parse("2026-06-02T12:00:00.000Z");
const en = createFormat({ locale: "en-GB", timeZone: "Europe/London", now });

test("formats times in the customer's time zone and language", () => {
  expect(en.time("2026-06-02T12:00:00.000Z")).toBe("13:00");
  expect(
    createFormat({ locale: "en-GB", timeZone: "Asia/Kolkata", now }).time("2026-06-02T12:00:00.000Z"),
  ).toBe("17:30");
  expect(en.dayKey("2026-06-01T23:30:00.000Z")).toBe("2026-06-02");
  expect(en.day("2026-06-02T08:00:00.000Z")).toBe("Today");
  expect(en.day("2026-06-01T08:00:00.000Z")).toBe("Yesterday");
  expect(en.day("2026-05-20T08:00:00.000Z")).toContain("20 May");
  expect(en.day("2024-05-20T08:00:00.000Z")).toContain("2024");
});

test("omits invalid times and ignores an unknown time zone", () => {
  for (const value of [null, "", "yesterday", "2026-99-99T00:00:00.000Z"]) {
    expect(en.time(value)).toBeNull();
    expect(en.dateTime(value)).toBeNull();
    expect(en.dayKey(value)).toBeNull();
    expect(en.age(value)).toBeNull();
    expect(en.returnTime(value)).toBeNull();
  }
  expect(isTimeZone("Mars/X")).toBe(false);
  expect(en.returnTime("2026-06-03T08:00:00.000Z", "Mars/X")).toBeNull();
  expect(
    createFormat({ locale: "en-GB", timeZone: "Mars/X" }).time("2026-06-02T12:00:00.000Z"),
  ).not.toBeNull();
});

test("says today or tomorrow for near times and the date for later ones", () => {
  expect(en.returnTime("2026-06-02T14:00:00.000Z")).toEqual({ day: "today", time: "15:00" });
  expect(en.returnTime("2026-06-02T23:30:00.000Z")).toEqual({ day: "tomorrow", time: "00:30" });
  expect(en.returnTime("2026-06-03T08:00:00.000Z")).toEqual({ day: "tomorrow", time: "09:00" });
  expect(en.returnTime("2026-06-04T08:00:00.000Z")).toEqual({
    day: expect.stringMatching(/^Thursday,? 4 June$/),
    time: "09:00",
  });
  expect(en.returnTime("2026-06-08T08:00:00.000Z", "Asia/Tokyo")).toEqual({
    day: expect.stringMatching(/^Monday,? 8 June$/),
    time: "17:00",
  });
});

test.each([
  // The day before has 23 hours.
  {
    now: "2026-03-29T23:15:00.000Z",
    yesterday: "2026-03-29T12:00:00.000Z",
    dayBefore: "2026-03-28T23:30:00.000Z",
  },
  // The day before has 25 hours.
  {
    now: "2026-10-25T23:30:00.000Z",
    yesterday: "2026-10-24T22:30:00.000Z",
    dayBefore: "2026-10-23T22:30:00.000Z",
  },
])("counts days by the calendar after a change of clocks: $now", (dates) => {
  const format = createFormat({
    locale: "en-GB",
    timeZone: "Europe/London",
    now: () => Date.parse(dates.now),
  });
  expect(format.day(dates.yesterday)).toBe("Yesterday");
  expect(format.day(dates.dayBefore)).not.toBe("Yesterday");
});

test("says tomorrow for the day of 23 hours", () => {
  const eve = createFormat({
    locale: "en-GB",
    timeZone: "Europe/London",
    now: () => Date.parse("2026-03-28T23:30:00.000Z"),
  });
  expect(eve.returnTime("2026-03-29T12:00:00.000Z")?.day).toBe("tomorrow");
  expect(eve.returnTime("2026-03-30T08:00:00.000Z")?.day).not.toBe("tomorrow");
});

test("formats an age in days, months or years and a future date as today", () => {
  expect(en.age("2026-06-02T08:00:00.000Z")).toBe("today");
  expect(en.age("2026-05-30T12:00:00.000Z")).toBe("3 days ago");
  expect(en.age("2022-06-02T12:00:00.000Z")).toBe("4 years ago");
  expect(en.age("2026-05-04T12:00:00.000Z")).toBe("29 days ago");
  expect(en.age("2026-05-03T12:00:00.000Z")).toBe("last month");
  expect(en.age("2025-06-03T12:00:00.000Z")).toBe("12 months ago");
  expect(en.age("2025-06-02T12:00:00.000Z")).toBe("last year");
  expect(en.age("2026-07-01T12:00:00.000Z")).toBe("today");
  expect(en.age("2027-07-01T12:00:00.000Z")).toBe("today");
});

test("formats waits in seconds, long ones in minutes", () => {
  expect(en.wait(1)).toBe("in 1 second");
  expect(en.wait(119)).toBe("in 119 seconds");
  expect(en.wait(120)).toBe("in 2 minutes");
  expect(en.wait(3_596)).toBe("in 60 minutes");
});

test("keeps each currency's decimals and each language's format", () => {
  expect(moneyOf(1_899, "GBP", en.locale)).toBe("£1,899");
  expect(moneyOf(1_234.5, "GBP", en.locale)).toBe("£1,234.50");
  expect(moneyOf(0, "GBP", en.locale)).toBe("£0");
  expect(moneyOf(139, "EUR", "de")).toBe("139\u00a0€");
  expect(moneyOf(12_800, "JPY", "ja")).toMatch(/12,800/);
  expect(moneyOf(24.5, "KWD", en.locale)).toMatch(/24\.500/);
});

test.each([
  [0.004, "GBP", "£0.004"],
  [0.0035, "EUR", "€0.0035"],
  [-0.0004, "EUR", "-€0.0004"],
  [0.005, "GBP", "£0.01"],
  [0.4, "JPY", "JP¥0.4"],
  [1_234.4, "JPY", "JP¥1,234"],
  [12.5, "KWD", "KWD\u00a012.500"],
  [1.2345, "BHD", "BHD\u00a01.235"],
  [0.0004, "KWD", "KWD\u00a00.0004"],
  [5, "BHD", "BHD\u00a05"],
])("writes %s %s in the currency's own decimals, and never a price as nothing", (amount, currency, text) => {
  expect(moneyOf(amount, currency, en.locale)).toBe(text);
});

test("tells dollars of different countries apart", () => {
  const amounts = ["USD", "CAD", "AUD"].map((currency) => moneyOf(10, currency, en.locale));
  expect(new Set(amounts).size).toBe(3);
  expect(moneyOf(10, "USD", "en-US")).toBe("$10");
  expect(moneyOf(10, "GBP", "fr")).toBe("10\u00a0£");
});

test("isolates a Latin currency sign in right-to-left languages", () => {
  expect(moneyOf(12, "USD", "ar")).toContain("\u2068US$\u2069");
  expect(moneyOf(12, "USD", "de")).not.toContain("\u2068");
});

test("never throws, whatever the amount or the currency", () => {
  for (const amount of [-5, 1e21, 0.1 + 0.2, Number.MAX_VALUE]) {
    for (const currency of ["GBP", "ZZZ", "eur", "", "<b>", "GB", "🚲"]) {
      expect(moneyOf(amount, currency, en.locale), `${amount} ${currency}`).not.toBe("");
    }
  }
});

test("formats by the BCP 47 tag nearest to the given locale name", () => {
  expect(createFormat({ locale: "en_US!" }).locale).toBe("en-US");
  expect(createFormat({ locale: "" }).locale).toBe("en");
});

test("uses units of 1,024 bytes, as the limit does", () => {
  expect(en.bytes(4_194_304)).toBe("4 MB");
  expect(en.bytes(70)).toBe("70 bytes");
  expect(en.bytes(2_048)).toBe("2 kB");
});
