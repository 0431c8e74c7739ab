/**
 * The journeys of the chat and the shop at 390 pixels in light and at 1440 in dark, and the tests of
 * `e2e/viewports` in all four combinations (`node scripts/test-browser.ts viewports`, after `npm run build`).
 * The suite `main` of `npm test` covers most journeys at 1440 pixels in light.
 */
import { devices } from "@playwright/test";
import { type ChatTestConfig, onlyInViewports } from "./main.ts";

const wide = { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } };
const narrow = { ...devices["Pixel 7"], viewport: { width: 390, height: 844 } };

/** Specs that do not depend on the colour scheme. */
const schemeIndependent = [
  "**/keyboard*.spec.ts",
  "**/focus.spec.ts",
  "**/platform-features.spec.ts",
  // The gallery runs axe over each note in light and dark.
  "**/remedies.spec.ts",
  "**/equal-messages.spec.ts",
];

const otherViewports = [
  { name: "1440 dark", hasJourneys: true, use: { ...wide, colorScheme: "dark" } },
  { name: "390 light", hasJourneys: true, use: { ...narrow, colorScheme: "light" } },
  { name: "390 dark", hasJourneys: false, use: { ...narrow, colorScheme: "dark" } },
] as const;

const ignoredIn = ({ colorScheme }: { colorScheme: "light" | "dark" }) =>
  colorScheme === "dark" ? schemeIndependent : [];

/** Specs that do not depend on the viewport. */
const viewportIndependent = [
  // Opens the team console at each width and in each scheme itself.
  "**/console.spec.ts",
  // Counts bytes of JavaScript.
  "**/loading.spec.ts",
  // Compares what the contract allows with the texts on screen.
  "**/fields.spec.ts",
];

/** The title of a test that fetches pages without rendering them. */
const withoutPage = /every address in the site map/;

export const viewports = (base: ChatTestConfig): ChatTestConfig => ({
  reporter: "list",
  use: { ...base.use, checkAccessibilityAtEnd: true },
  projects: [
    { name: "1440 light", testDir: "e2e/viewports", use: { ...wide, colorScheme: "light" } },
    {
      name: "1440 light, journeys",
      testDir: "e2e/journeys",
      grep: onlyInViewports,
      use: { ...wide, colorScheme: "light" },
    },
    ...otherViewports.map(({ name, use }) => ({
      name,
      testDir: "e2e/viewports",
      testIgnore: ignoredIn(use),
      use,
    })),
    // Both widths and both schemes.
    ...otherViewports
      .filter(({ hasJourneys }) => hasJourneys)
      .map(({ name, use }) => ({
        name: `${name}, journeys`,
        testDir: "e2e/journeys",
        grepInvert: withoutPage,
        testIgnore: [
          ...viewportIndependent,
          ...ignoredIn(use),
          ...(use.isMobile ? [] : ["**/*.phone.spec.ts"]),
        ],
        use,
      })),
  ],
});
