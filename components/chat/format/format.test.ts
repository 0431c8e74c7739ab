import { expect, test } from "vitest";
import { createFormat, isTimeZone } from "./format.ts";

const now = () => Date.parse("2026-06-02T12:00:00.000Z");
const en = createFormat({ locale: "en-GB", timeZone: "Europe/London", now });

test("times are the customer's: zone, language, day", () => {
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

test("#148 what is no time is left out, and an unknown zone is absent", () => {
  for (const value of [null, "", "yesterday", "2026-99-99T00:00:00.000Z"]) {
    expect(en.time(value)).toBeNull();
    expect(en.dateTime(value)).toBeNull();
    expect(en.dayKey(value)).toBeNull();
    expect(en.age(value)).toBeNull();
    expect(en.weekdayTime(value)).toBeNull();
  }
  expect(isTimeZone("Mars/X")).toBe(false);
  expect(en.weekdayTime("2026-06-03T08:00:00.000Z", "Mars/X")).toBeNull();
  expect(
    createFormat({ locale: "en-GB", timeZone: "Mars/X" }).time("2026-06-02T12:00:00.000Z"),
  ).not.toBeNull();
});

test("the age of a source is said in its own unit, and the future is today", () => {
  expect(en.age("2026-06-02T08:00:00.000Z")).toBe("today");
  expect(en.age("2026-05-30T12:00:00.000Z")).toBe("3 days ago");
  expect(en.age("2022-06-02T12:00:00.000Z")).toBe("4 years ago");
  expect(en.age("2026-07-01T12:00:00.000Z")).toBe("today");
});

test("a wait is told in seconds, a long one in minutes", () => {
  expect(en.wait(1)).toBe("in 1 second");
  expect(en.wait(119)).toBe("in 119 seconds");
  expect(en.wait(120)).toBe("in 2 minutes");
  expect(en.wait(3_596)).toBe("in 60 minutes");
});

test("money keeps each currency's decimals and each language's form", () => {
  expect(en.money(1_899, "GBP")).toBe("£1,899");
  expect(en.money(1_234.5, "GBP")).toBe("£1,234.50");
  expect(en.money(0, "GBP")).toBe("£0");
  expect(createFormat({ locale: "de" }).money(139, "EUR")).toBe("139\u00a0€");
  expect(createFormat({ locale: "ja" }).money(12_800, "JPY")).toMatch(/12,800/);
  expect(en.money(24.5, "KWD")).toMatch(/24\.500/);
});

test("dollars of different countries are told apart", () => {
  const amounts = ["USD", "CAD", "AUD"].map((currency) => en.money(10, currency));
  expect(new Set(amounts).size).toBe(3);
  expect(createFormat({ locale: "en-US" }).money(10, "USD")).toBe("$10");
  expect(createFormat({ locale: "fr" }).money(10, "GBP")).toBe("10\u00a0£");
});

test("in a language that runs from right to left a currency of Latin letters is isolated", () => {
  expect(createFormat({ locale: "ar" }).money(12, "USD")).toContain("\u2068US$\u2069");
  expect(createFormat({ locale: "de" }).money(12, "USD")).not.toContain("\u2068");
});

test("#144 no amount and no currency makes it throw", () => {
  for (const amount of [-5, 1e21, 0.1 + 0.2, Number.MAX_VALUE]) {
    for (const currency of ["GBP", "ZZZ", "eur", "", "<b>", "GB", "🚲"]) {
      expect(en.money(amount, currency), `${amount} ${currency}`).not.toBe("");
    }
  }
});

test("#155 a language tag that is none falls back to English", () => {
  expect(createFormat({ locale: "en_US!" }).locale).toBe("en");
  expect(createFormat({ locale: "" }).locale).toBe("en");
});

test("sizes step by 1,024, as the limit does", () => {
  expect(en.bytes(4_194_304)).toBe("4 MB");
  expect(en.bytes(70)).toBe("70 bytes");
  expect(en.bytes(2_048)).toBe("2 kB");
});
