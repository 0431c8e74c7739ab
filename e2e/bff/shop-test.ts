/** Fixture for tests that need the running shop's origin. */
import { test as base } from "@playwright/test";

export const test = base.extend<{ origin: string }>({
  origin: async ({ baseURL }, use) => {
    if (baseURL === undefined) throw new Error("The project has no baseURL");
    await use(baseURL);
  },
});
