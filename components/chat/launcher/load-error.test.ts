import { expect, test } from "vitest";
import { isLoadError } from "./load-error.ts";

test("tells a part that was not fetched from one that failed to run", () => {
  const ofBundler = Object.assign(new Error("Failed to load chunk 7"), { name: "ChunkLoadError" });
  for (const error of [
    ofBundler,
    new TypeError("Failed to fetch dynamically imported module: https://shop.example/a.js"),
    new TypeError("error loading dynamically imported module: https://shop.example/a.js"),
    new TypeError("Importing a module script failed."),
  ])
    expect(isLoadError(error), error.message).toBe(true);
  expect(isLoadError(new TypeError("Cannot read properties of undefined"))).toBe(false);
  expect(isLoadError(new ReferenceError("x is not defined"))).toBe(false);
  expect(isLoadError(new Error("Import the order first"))).toBe(false);
});
