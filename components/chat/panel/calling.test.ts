import { expect, test } from "vitest";
import { newestUncalled, titleWith, titleWithout } from "./calling.ts";

test("puts the unread count before the page's title once and removes it cleanly", () => {
  expect(titleWith("1 new message", "Helmets")).toBe("(1 new message) Helmets");
  expect(titleWith("1 new message", "(1 new message) Helmets")).toBe("(1 new message) Helmets");
  expect(titleWithout("1 new message", "(1 new message) Helmets")).toBe("Helmets");
  expect(titleWithout("1 new message", "Bikes")).toBe("Bikes");
});

test("calls for the newest message not yet called for, wherever it stands", () => {
  const [first, second, third] = [{ id: "a" }, { id: "b" }, { id: "c" }];
  expect(newestUncalled([first, second, third], new Set())).toBe(third);
  expect(newestUncalled([first, second, third], new Set(["a", "c"]))).toBe(second);
  expect(newestUncalled([first], new Set(["a"]))).toBeUndefined();
});
