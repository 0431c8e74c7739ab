import { expect, test } from "vitest";
import { glidesToEnd, isNearEnd, nearestTo } from "./scroll-rules.ts";

test("follows the end of the list from within 40 pixels", () => {
  expect([0, -39, 39].map(isNearEnd)).toEqual([true, true, true]);
  expect([-40, -400].map(isNearEnd)).toEqual([false, false]);
});

test("glides to the end from up to 4,000 pixels and jumps from further away", () => {
  expect([0, -4_000].map(glidesToEnd)).toEqual([true, true]);
  expect(glidesToEnd(-4_001)).toBe(false);
});

test("finds the span in view, else the closest above or below", () => {
  const view = { top: 100, bottom: 200 };
  const [above, inView, below] = [
    { top: -50, bottom: 80 },
    { top: 150, bottom: 400 },
    { top: 230, bottom: 300 },
  ];
  expect(nearestTo(view, [above, below, inView])).toBe(inView);
  expect(nearestTo(view, [below, above])).toBe(above);
  expect(nearestTo(view, [{ top: -90, bottom: 60 }, below])).toBe(below);
  expect(nearestTo(view, [inView, { top: 100, bottom: 200 }])).toBe(inView);
  expect(nearestTo(view, [])).toBeUndefined();
});
