/**
 * The main journeys against the shop as `npm run dev` serves it (`node scripts/test-browser.ts development`),
 * where React's strict mode mounts every component twice and React and Next print their warnings.
 */
import { devices } from "@playwright/test";
import type { ChatTestConfig } from "./main.ts";

/** The development server compiles a page when a journey first opens it, and the journey waits. */
const compileTimeout = 60_000;

export const development = (base: ChatTestConfig): ChatTestConfig => ({
  globalSetup: "./e2e/development/global-setup.ts",
  reporter: "list",
  // The development server alone keeps two cores busy.
  workers: 1,
  timeout: 4 * compileTimeout,
  expect: { timeout: compileTimeout },
  use: {
    ...base.use,
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    failOnWarnings: true,
  },
  projects: [
    { name: "development", testDir: "e2e/development" },
    {
      name: "reloading",
      testDir: "e2e/journeys",
      testMatch: "**/reloading.spec.ts",
      grep: /in the middle of a reply/,
    },
    { name: "main journeys", testDir: "e2e/viewports", testMatch: "**/main-journeys.spec.ts" },
  ],
});
