/**
 * The suite of `npm test`: the contract, the BFF, killed processes, and the journeys at 1440 pixels in light.
 */
import { devices, type PlaywrightTestConfig } from "@playwright/test";
import type { ChatTestOptions } from "../support/chat-page.ts";

export type ChatTestConfig = PlaywrightTestConfig<ChatTestOptions>;

/**
 * Journeys that `npm test` has no time for. `node scripts/test-browser.ts viewports` plays them.
 */
export const onlyInViewports = /@viewports/;

export const main = (base: ChatTestConfig): ChatTestConfig => ({
  grepInvert: onlyInViewports,
  // Drawing animations takes a third of a journey's CPU time. The suite `viewports` plays the same journeys
  // with them.
  use: { ...base.use, contextOptions: { reducedMotion: "reduce" } },
  // The journeys wait for half of their time: three keep two processors busy, beside a worker for the other
  // projects, which mostly wait.
  workers: 4,
  projects: [
    // The longest project starts first.
    {
      name: "desktop",
      workers: 3,
      testDir: "e2e/journeys",
      testIgnore: "**/*.phone.spec.ts",
      // The suite `viewports` covers 390 pixels.
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
    {
      name: "faults",
      workers: 1,
      testDir: "e2e/faults",
      testMatch: "**/*.spec.ts",
      use: { ...devices["Desktop Chrome"] },
    },
    // `testDir` instead of `testMatch`: a pattern would also match the checkout's own path.
    { name: "contract", workers: 1, testDir: "e2e/contract", use: { trace: "off", screenshot: "off" } },
    { name: "bff", workers: 1, testDir: "e2e/bff" },
    {
      name: "phone",
      workers: 1,
      testDir: "e2e/journeys",
      testMatch: "**/*.phone.spec.ts",
      use: { ...devices["Pixel 7"], viewport: { width: 390, height: 844 } },
    },
    // Only for `npm run test:live`.
    { name: "live", testDir: "e2e/live", use: { ...devices["Desktop Chrome"] } },
  ],
});
