import { expect, test } from "vitest";
import { safeFilename } from "./filename.ts";

test("cleans a name with thousands of blanks and dots in linear time", () => {
  // The longest name that a part's headers or a response of the Chat API can contain.
  const name = `x${" .".repeat(8_000)}x.txt`;
  const before = process.threadCpuUsage();
  expect(safeFilename(name)).toMatch(/^x[ .]+\.txt$/);
  // Quadratic matching took one and a half seconds.
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(300);
});

test("names a file whose own name nobody sees", () => {
  for (const name of ["", "...", "\u3164", "\u200b.\u2060"])
    expect(safeFilename(name)).toMatch(/^file$|^\u200b/);
});

test("removes blanks and dots around a name", () => {
  for (const name of [". a.txt", "a.txt. .", "\u3000.a.txt\u00a0", " .a.txt"])
    expect(safeFilename(name), JSON.stringify(name)).toBe("a.txt");
});
