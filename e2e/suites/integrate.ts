/** The chat in host apps (`npm run test:integrate`, which makes and starts them first). */
import { devices } from "@playwright/test";
import type { ChatTestConfig } from "./main.ts";

export const integrate = (): ChatTestConfig => ({
  // `run-integrate.ts` has started the channel and the apps.
  globalSetup: [],
  reporter: "list",
  // Six servers run beside the browsers, perhaps on two slow cores.
  workers: 2,
  timeout: 3 * 60_000,
  expect: { timeout: 30_000 },
  projects: [
    {
      name: "integrate",
      testDir: "e2e/integrate",
      testMatch: "**/*.spec.ts",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 860 } },
    },
  ],
});
