import { expect, test } from "vitest";
import { defaultBasePath } from "../chat-api/base-path.ts";
import { readPreferences, writePreferences } from "./preferences.ts";
import { createStorages } from "./storage/storage.ts";
import { memoryBrowser } from "./testing/memory-browser.ts";

const initial = { sounds: false, isLarge: false, hidesGreeting: false };

test("keeps what the customer has chosen after a reload", () => {
  const browser = memoryBrowser();
  expect(readPreferences(createStorages(browser, defaultBasePath))).toEqual(initial);
  const chosen = { sounds: true, isLarge: true, hidesGreeting: true };
  writePreferences(createStorages(browser, defaultBasePath), chosen);
  expect(readPreferences(createStorages(browser, defaultBasePath))).toEqual(chosen);
});

test("ignores damaged preferences", () => {
  for (const stored of ["{", "7", '{"sounds":"yes"}']) {
    const browser = memoryBrowser();
    browser.local.write("shop-chat:1:browser:preferences", stored);
    expect(readPreferences(createStorages(browser, defaultBasePath))).toEqual(initial);
  }
});
