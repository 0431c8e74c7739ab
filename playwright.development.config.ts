/**
 * The main journeys against the shop as `npm run dev` serves it (`npm run test:development`), where React's strict mode
 * mounts every part twice and React and Next say what they do not like.
 */
import { defineConfig, devices } from "@playwright/test";
import type { ChatTestOptions } from "./e2e/support/chat-page.ts";
import base from "./playwright.config.ts";

/** The development server compiles what a journey meets first while the journey waits. */
const patience = 60_000;

export default defineConfig<ChatTestOptions>({
  ...base,
  globalSetup: "./e2e/development/around-run.ts",
  // Beside what the other tests leave there.
  outputDir: "test-results/development",
  reporter: "list",
  // The server alone keeps two cores busy.
  workers: 1,
  timeout: 4 * patience,
  expect: { timeout: patience },
  use: {
    ...base.use,
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    mindsWarnings: true,
  },
  projects: [
    { name: "development", testDir: "e2e/development" },
    {
      name: "reloading",
      testDir: "e2e/journeys",
      testMatch: "**/reloading.spec.ts",
      grep: /in the middle of a reply/,
    },
    { name: "main journeys", testDir: "e2e/looks", testMatch: "**/main-journeys.spec.ts" },
  ],
});
