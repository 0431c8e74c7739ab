/**
 * What a customer does with the chat and the shop, at 390 and 1440 pixels, in light and in dark (`npm run test:looks`,
 * after `npm run build`). The journeys at 1440 pixels in light are part of `npm test` (playwright.config.ts) and not
 * run again.
 */
import { defineConfig, devices } from "@playwright/test";
import type { ChatTestOptions } from "./e2e/support/chat-page.ts";
import base from "./playwright.config.ts";

const wide = { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } };
const narrow = { ...devices["Pixel 7"], viewport: { width: 390, height: 844 } };

/** The same in the dark. */
const sameInTheDark = ["**/keyboard*.spec.ts", "**/focus.spec.ts", "**/by-other-ways.spec.ts"];

const looks = [
  { name: "1440 dark", use: { ...wide, colorScheme: "dark" } },
  { name: "390 light", use: { ...narrow, colorScheme: "light" } },
  { name: "390 dark", use: { ...narrow, colorScheme: "dark" } },
] as const;

/** Of these the width and the scheme are no part. */
const otherSubjects = [
  // The team's console, which the tests open at each width and in each scheme themselves.
  "**/console.spec.ts",
  // Bytes of JavaScript.
  "**/weight.spec.ts",
];

/** Asks for pages and looks at none. */
const looksAtNothing = /every address in the site map/;

export default defineConfig<ChatTestOptions>({
  ...base,
  // Beside what the other tests leave there.
  outputDir: "test-results/looks",
  reporter: "list",
  use: { ...base.use, endsAccessible: true },
  projects: [
    { name: "1440 light", testDir: "e2e/looks", use: { ...wide, colorScheme: "light" } },
    ...looks.flatMap(({ name, use }) => [
      { name, testDir: "e2e/looks", testIgnore: use.colorScheme === "dark" ? sameInTheDark : [], use },
      {
        name: `${name}, journeys`,
        testDir: "e2e/journeys",
        grepInvert: looksAtNothing,
        testIgnore: use.isMobile ? otherSubjects : [...otherSubjects, "**/*.phone.spec.ts"],
        use,
      },
    ]),
  ],
});
