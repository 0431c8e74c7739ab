/**
 * The BFF, and the journeys at 1440 pixels in light (`npm run test:e2e`). `npm test` leaves the
 * projects `rare` and `faults` to `.ci/run`.
 */
import { devices, type PlaywrightTestConfig } from "@playwright/test";
import type { ChatTestOptions } from "../support/chat-page.ts";

export type ChatTestConfig = PlaywrightTestConfig<ChatTestOptions>;

/**
 * Journeys of rare errors, of other forms of the chat and of the team's console: files named
 * `*.rare.spec.ts` and tests tagged `@rare`.
 */
const rare = /\.rare\.spec\.ts|@rare/;

const desktop = { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } };

export const main = (base: ChatTestConfig): ChatTestConfig => ({
  // Drawing animations takes a third of a journey's CPU time. The suite `viewports` plays the journeys at 390
  // pixels with them.
  use: { ...base.use, contextOptions: { reducedMotion: "reduce" } },
  // The journeys wait for half of their time: three keep two processors busy, beside a worker for the other
  // projects, which mostly wait. Once the journeys have ended, all workers run the rest.
  workers: 4,
  projects: [
    // The longest project starts first.
    {
      name: "desktop",
      workers: 3,
      testDir: "e2e/journeys",
      testIgnore: "**/*.phone.spec.ts",
      grepInvert: rare,
      // The suite `viewports` covers 390 pixels.
      use: desktop,
    },
    { name: "rare", workers: 3, testDir: "e2e/journeys", grep: rare, use: desktop },
    {
      name: "faults",
      workers: 1,
      testDir: "e2e/faults",
      testMatch: "**/*.spec.ts",
      use: { ...devices["Desktop Chrome"] },
    },
    // `testDir` instead of `testMatch`: a pattern would also match the checkout's own path.
    { name: "bff", workers: 1, testDir: "e2e/bff" },
    {
      name: "phone",
      testDir: "e2e/journeys",
      testMatch: "**/*.phone.spec.ts",
      use: { ...devices["Pixel 7"], viewport: { width: 390, height: 844 } },
    },
    // Only for `npm run test:live`.
    { name: "live", testDir: "e2e/live", use: { ...devices["Desktop Chrome"] } },
  ],
});
