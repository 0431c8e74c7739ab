import { expect, test } from "vitest";
import { lightnessOf } from "./page-scheme.ts";

test("reads the lightness of rgb(), lab(), oklab(), oklch() and color() values", () => {
  const light = ["rgb(255, 255, 255)", "rgba(240, 240, 240, 0.9)", "lab(96 0 0)", "oklch(0.98 0.01 250)"];
  const dark = ["rgb(10, 10, 10)", "lab(2.7 0.1 -2)", "oklab(0.13 0 1e-5)", "color(display-p3 0.1 0.1 0.2)"];
  for (const colour of light) expect(lightnessOf(colour), colour).toBeGreaterThan(0.9);
  for (const colour of dark) expect(lightnessOf(colour), colour).toBeLessThan(0.2);
});

test("ignores transparent colours", () => {
  expect(lightnessOf("rgba(0, 0, 0, 0)")).toBeNull();
  expect(lightnessOf("oklab(0 0 0 / 0.2)")).toBeNull();
});
