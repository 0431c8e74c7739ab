/**
 * The journeys in Firefox, by Playwright and the WebDriver BiDi of the Firefox that is installed, and in WebKit, by
 * WebKitGTK's own driver (`npm run test:engines`, after `npm run build`).
 */
import { dirname, join } from "node:path";
import { defineConfig } from "@playwright/test";
import type { ChatTestOptions } from "./e2e/support/chat-page.ts";
import base from "./playwright.config.ts";

const relay = join(import.meta.dirname, "e2e", "engines", "firefox.ts");

/** Left out in Firefox. */
const notInFirefox = new RegExp(
  [
    // Playwright cannot turn scripts off, and what stands in their place is there only then.
    "without scripts, filters and help are there",
    // Nothing but axe, which is not run in Firefox (`ChatPage.expectAccessible`).
    "every page is accessible",
    "every page has enough contrast",
    // No browser takes part.
    "every resource of the contract is looked at",
    "every address in the site map answers",
  ].join("|"),
);

const firefox = {
  browserName: "firefox",
  channel: "moz-firefox",
  launchOptions: {
    executablePath: relay,
    // The relay runs on the Node that runs the tests: the one on the path may be too old to read TypeScript.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
    // Nothing of Mozilla's is asked for while the journeys run.
    firefoxUserPrefs: {
      "services.settings.server": "data:,#remote-settings-dummy/v1",
      // A phone's scrollbars take no room.
      "ui.useOverlayScrollbars": 1,
    },
  },
} as const;
const looks = [
  { name: "1440 light", use: { viewport: { width: 1440, height: 900 }, colorScheme: "light" } },
  { name: "1440 dark", use: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" } },
  { name: "390 light", use: { viewport: { width: 390, height: 844 }, colorScheme: "light" } },
  { name: "390 dark", use: { viewport: { width: 390, height: 844 }, colorScheme: "dark" } },
] as const;

/** Each width and each scheme is in one of these. */
const opposite = [looks[0], looks[3]];

const onPhonesAlone = ({ use }: (typeof looks)[number]) =>
  use.viewport.width === 390 ? [] : ["**/*.phone.spec.ts"];

export default defineConfig<ChatTestOptions>({
  ...base,
  use: { ...base.use, provesLook: true },
  // Beside what the other tests leave there.
  outputDir: "test-results/engines",
  reporter: "list",
  // These engines draw without a graphics card, and Firefox is told everything by way of the relay.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  projects: [
    ...opposite.map((look) => ({
      name: `firefox ${look.name}, journeys`,
      testDir: "e2e/journeys",
      // The team's console is the channel's; the weight of scripts is the same in every browser.
      testIgnore: ["**/console.spec.ts", "**/weight.spec.ts", ...onPhonesAlone(look)],
      grepInvert: notInFirefox,
      use: { ...firefox, ...look.use },
    })),
    ...looks.map(({ name, use }) => ({
      name: `firefox ${name}`,
      testDir: "e2e/looks",
      testMatch: ["**/main-journeys.spec.ts", "**/focus.spec.ts"],
      use: { ...firefox, ...use },
    })),
    ...opposite.map((look) => ({
      name: `webkit ${look.name}`,
      testDir: "e2e/engines",
      testIgnore: onPhonesAlone(look),
      use: look.use,
    })),
  ],
});
