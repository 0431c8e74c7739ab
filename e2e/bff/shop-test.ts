/** Tests of a running shop, by its address. */
import { test as base } from "@playwright/test";

export const test = base.extend<{ origin: string }>({
  origin: async ({ baseURL }, use) => {
    if (baseURL === undefined) throw new Error("The project has no baseURL");
    await use(baseURL);
  },
});
