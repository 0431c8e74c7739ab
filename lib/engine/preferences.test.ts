import { expect, test } from "vitest";
import { readPreferences, writePreferences } from "./preferences.ts";
import { createStorages } from "./storage/storage.ts";
import { memoryBrowser } from "./testing/memory-browser.ts";

test("keeps sounds off until the customer turns them on, and on after a reload", () => {
  const browser = memoryBrowser();
  expect(readPreferences(createStorages(browser))).toEqual({ sounds: false, notifies: false });
  writePreferences(createStorages(browser), { sounds: true, notifies: false });
  expect(readPreferences(createStorages(browser))).toEqual({ sounds: true, notifies: false });
});

test("ignores damaged preferences", () => {
  for (const stored of ["{", "7", '{"sounds":"yes"}']) {
    const browser = memoryBrowser();
    browser.local.write("shop-chat:1:browser:preferences", stored);
    expect(readPreferences(createStorages(browser))).toEqual({ sounds: false, notifies: false });
  }
});
