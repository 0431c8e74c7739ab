import { expect, test } from "vitest";
import { newestUnalerted, titleWith, titleWithout } from "./attention.tsx";

test("puts the unread count before the page's title once and removes it cleanly", () => {
  expect(titleWith("1 new message", "Helmets")).toBe("(1 new message) Helmets");
  expect(titleWith("1 new message", "(1 new message) Helmets")).toBe("(1 new message) Helmets");
  expect(titleWithout("1 new message", "(1 new message) Helmets")).toBe("Helmets");
  expect(titleWithout("1 new message", "Bikes")).toBe("Bikes");
});

test("alerts for the newest message without an earlier alert, in any position", () => {
  const [first, second, third] = [{ id: "a" }, { id: "b" }, { id: "c" }];
  expect(newestUnalerted([first, second, third], new Set())).toBe(third);
  expect(newestUnalerted([first, second, third], new Set(["a", "c"]))).toBe(second);
  expect(newestUnalerted([first], new Set(["a"]))).toBeUndefined();
});
