/**
 * The tests of `e2e/viewports` at 1440 and 390 pixels in light and dark, and the journeys whose layout or
 * controls are others at 390 pixels (`node scripts/test-browser.ts viewports`, after `npm run build`). The
 * gallery shows every state of the chat in the dark scheme.
 */
import { devices } from "@playwright/test";
import type { ChatTestConfig } from "./main.ts";

const wide = { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } };
const narrow = { ...devices["Pixel 7"], viewport: { width: 390, height: 844 } };

const viewportsOf = [
  { name: "1440 light", use: { ...wide, colorScheme: "light" } },
  { name: "1440 dark", use: { ...wide, colorScheme: "dark" } },
  { name: "390 light", use: { ...narrow, colorScheme: "light" } },
  { name: "390 dark", use: { ...narrow, colorScheme: "dark" } },
] as const;

/** Specs that do not depend on the colour scheme. */
const schemeIndependent = [
  "**/keyboard.spec.ts",
  "**/focus.spec.ts",
  "**/no-scrollend.spec.ts",
  "**/phone-keyboard.spec.ts",
  "**/platform-features.spec.ts",
];

/** Journeys with a layout, controls or a keyboard of their own on a phone. */
const phoneJourneys = [
  "asking",
  "chat.phone",
  "consent",
  "files",
  "forms",
  "handoff",
  "hostile-content",
  "kept",
  "long-chat.rare",
  "placement",
  "returning-team.rare",
  "shop",
  "shop.phone",
  "unfolding.rare",
].map((name) => `**/${name}.spec.ts`);

/** The title of a test that fetches pages without rendering them. */
const withoutPage = /every address in the site map/;

export const viewports = (base: ChatTestConfig): ChatTestConfig => ({
  reporter: "list",
  use: { ...base.use, checkAccessibilityAtEnd: true },
  projects: [
    ...viewportsOf.map(({ name, use }) => ({
      name,
      testDir: "e2e/viewports",
      testIgnore: use.colorScheme === "dark" ? schemeIndependent : [],
      use,
    })),
    {
      name: "390 light, journeys",
      testDir: "e2e/journeys",
      testMatch: phoneJourneys,
      grepInvert: withoutPage,
      use: { ...narrow, colorScheme: "light" },
    },
  ],
});
