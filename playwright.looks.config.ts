/** The main journeys in both widths and both schemes (`npm run test:looks`, after `npm run build`). */
import { defineConfig, devices } from "@playwright/test";
import base from "./playwright.config.ts";

const wide = { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } };
const narrow = { ...devices["Pixel 7"], viewport: { width: 390, height: 844 } };

export default defineConfig({
  ...base,
  testDir: "e2e/looks",
  // Beside what the other tests leave there.
  outputDir: "test-results/looks",
  reporter: "list",
  projects: [
    { name: "1440 light", use: { ...wide, colorScheme: "light" } },
    { name: "1440 dark", use: { ...wide, colorScheme: "dark" } },
    { name: "390 light", use: { ...narrow, colorScheme: "light" } },
    { name: "390 dark", use: { ...narrow, colorScheme: "dark" } },
  ],
});
