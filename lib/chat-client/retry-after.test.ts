import { expect, test } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

const date = "Mon, 02 Mar 2026 09:30:00 GMT";

function header(value: string, answeredAt = date): Headers {
  return new Headers({ "retry-after": value, date: answeredAt });
}

test.each([
  ["0", 0],
  ["7", 7],
  [" 7 ", 7],
  ["-1", 1],
  ["1.5", 1],
  ["1e9", 1],
  ["abc", 1],
  ["", 1],
  ["2026-03-02T09:30:09Z", 1],
  ["99999999999999999999", 60 * 60],
])("reads the header %j as %d seconds", (value, seconds) => {
  expect(readRetryAfter(header(value), undefined)).toBe(seconds);
});

test("caps a wait at an hour, after which one request asks again", () => {
  for (const long of [3_601, 1e9, 1e300, Number.MAX_VALUE])
    expect(readRetryAfter(header("1"), long), String(long)).toBe(3_600);
  expect(readRetryAfter(header("Mon, 02 Mar 2099 09:30:00 GMT"), undefined)).toBe(3_600);
});

test.each([
  ["the preferred form", "Mon, 02 Mar 2026 09:30:09 GMT", 9],
  ["the form of RFC 850", "Monday, 02-Mar-26 09:30:09 GMT", 9],
  ["the form of asctime", "Mon Mar  2 09:30:09 2026", 9],
  ["a past date", "Mon, 02 Mar 2026 09:29:00 GMT", 0],
  ["an impossible date", "Mon, 99 Mar 2026 09:29:00 GMT", 1],
])("counts a date from the response's own date: %s", (_, value, seconds) => {
  expect(readRetryAfter(header(value), undefined)).toBe(seconds);
});

test("falls back to the local clock without a Date header", () => {
  const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
  const seconds = readRetryAfter(new Headers({ "retry-after": inTenSeconds }), undefined);
  expect(seconds).toBeGreaterThan(7);
  expect(seconds).toBeLessThanOrEqual(10);
});

test("takes the longer wait of header and body; undefined if both are absent", () => {
  expect(readRetryAfter(header("3"), 5)).toBe(5);
  expect(readRetryAfter(header("5"), 3)).toBe(5);
  expect(readRetryAfter(new Headers(), 2.2)).toBe(3);
  expect(readRetryAfter(new Headers(), -4)).toBe(1);
  expect(readRetryAfter(new Headers(), "9")).toBe(1);
  expect(readRetryAfter(new Headers(), Number.NaN)).toBe(1);
  expect(readRetryAfter(new Headers(), null)).toBeUndefined();
  expect(readRetryAfter(new Headers(), undefined)).toBeUndefined();
});
