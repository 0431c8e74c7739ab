import { expect, test } from "vitest";
import { glidesToEnd, isNearEnd } from "./scroll-rules.ts";

test("follows the end of the list from within 40 pixels", () => {
  expect([0, -39, 39].map(isNearEnd)).toEqual([true, true, true]);
  expect([-40, -400].map(isNearEnd)).toEqual([false, false]);
});

test("glides to the end from up to 4,000 pixels and jumps from further away", () => {
  expect([0, -4_000].map(glidesToEnd)).toEqual([true, true]);
  expect(glidesToEnd(-4_001)).toBe(false);
});
