/**
 * The journeys in the installed Firefox, by Playwright over WebDriver BiDi, and in WebKit, by WebKitGTK's own
 * driver (`node scripts/test-browser.ts engines`, after `npm run build`).
 */
import { dirname, join } from "node:path";
import type { ChatTestConfig } from "./main.ts";

const relay = join(import.meta.dirname, "..", "engines", "firefox.ts");

/** Tests that Firefox skips, by title. */
const notInFirefox = new RegExp(
  [
    // Playwright cannot disable JavaScript in Firefox.
    "works without JavaScript: filters and help",
    // This test only runs axe, which crashes Firefox (accessibility.ts).
    "every page has enough contrast",
    // These tests open no page.
    "covers every resource of the contract",
    "every address in the site map",
  ].join("|"),
);

const firefox = {
  browserName: "firefox",
  channel: "moz-firefox",
  launchOptions: {
    executablePath: relay,
    // The relay runs on the Node of the test run: the one on PATH may be too old for TypeScript.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
    // Firefox contacts no Mozilla server during the journeys.
    firefoxUserPrefs: {
      "services.settings.server": "data:,#remote-settings-dummy/v1",
      // Overlay scrollbars, as on phones, take no width.
      "ui.useOverlayScrollbars": 1,
    },
  },
} as const;
const viewports = [
  { name: "1440 light", use: { viewport: { width: 1440, height: 900 }, colorScheme: "light" } },
  { name: "1440 dark", use: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" } },
  { name: "390 light", use: { viewport: { width: 390, height: 844 }, colorScheme: "light" } },
  { name: "390 dark", use: { viewport: { width: 390, height: 844 }, colorScheme: "dark" } },
] as const;

/** Two viewports that cover both widths and both schemes. */
const opposite = [viewports[0], viewports[3]];

const phoneSpecs = ({ use }: (typeof viewports)[number]) =>
  use.viewport.width === 390 ? [] : ["**/*.phone.spec.ts"];

export const engines = (base: ChatTestConfig): ChatTestConfig => ({
  use: { ...base.use, verifyViewport: true },
  reporter: "list",
  // These engines render in software, and every Firefox command passes through the relay.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  projects: [
    ...opposite.map((viewport) => ({
      name: `firefox ${viewport.name}, journeys`,
      testDir: "e2e/journeys",
      // The team console belongs to the channel, and the bundle size is the same in every browser.
      testIgnore: ["**/console.spec.ts", "**/loading.spec.ts", ...phoneSpecs(viewport)],
      grepInvert: notInFirefox,
      use: { ...firefox, ...viewport.use },
    })),
    ...viewports.map(({ name, use }) => ({
      name: `firefox ${name}`,
      testDir: "e2e/viewports",
      testMatch: ["**/main-journeys.spec.ts", "**/focus.spec.ts"],
      use: { ...firefox, ...use },
    })),
    ...opposite.map((viewport) => ({
      name: `webkit ${viewport.name}`,
      testDir: "e2e/engines",
      testIgnore: phoneSpecs(viewport),
      use: viewport.use,
    })),
  ],
});
