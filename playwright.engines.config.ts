/**
 * The journeys in Firefox, by Playwright and the WebDriver BiDi of the Firefox that is installed, and in WebKit, by
 * WebKitGTK's own driver (`npm run test:engines`, after `npm run build`).
 */
import { dirname, join } from "node:path";
import { defineConfig } from "@playwright/test";
import base from "./playwright.config.ts";

const relay = join(import.meta.dirname, "e2e", "engines", "firefox.ts");

/** Left out in Firefox: what Playwright cannot do there, or what Firefox does not live through. */
const notInFirefox = new RegExp(
  [
    // The text of a request is not told, nor passed on when the request is changed or fetched on the way.
    "every form of forms is seen",
    "every form of offers is seen",
    "helped with invalid_submission",
    "helped with idempotency_key_expired",
    "helped with idempotency_resource_gone",
    "a form that the channel keeps open",
    "a second tab shows a chat's first reply while it is written",
    // A request on its way keeps the address and the cookies that it left the page with.
    "helped with invalid_cursor",
    "helped with session_required",
    // Scripts cannot be turned off.
    "without scripts, filters and help are there",
    "the chat's button is not there before it can be pressed",
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
const wide = { viewport: { width: 1440, height: 900 } } as const;
const narrow = { viewport: { width: 390, height: 844 } } as const;

const looks = { testDir: "e2e/looks", testMatch: ["**/main-journeys.spec.ts", "**/focus.spec.ts"] };

export default defineConfig({
  ...base,
  // Beside what the other tests leave there.
  outputDir: "test-results/engines",
  reporter: "list",
  // These engines draw without a graphics card, and Firefox is told everything by way of the relay.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  projects: [
    {
      name: "firefox",
      testDir: "e2e/journeys",
      // The team's console is the channel's; the weight of scripts is the same in every browser.
      testIgnore: ["**/*.phone.spec.ts", "**/console.spec.ts", "**/weight.spec.ts"],
      grepInvert: notInFirefox,
      use: { ...firefox, ...wide },
    },
    {
      name: "firefox phone",
      testDir: "e2e/journeys",
      testMatch: "**/*.phone.spec.ts",
      use: { ...firefox, ...narrow },
    },
    { name: "firefox 1440 dark", ...looks, use: { ...firefox, ...wide, colorScheme: "dark" } },
    { name: "firefox 390 light", ...looks, use: { ...firefox, ...narrow } },
    { name: "firefox 390 dark", ...looks, use: { ...firefox, ...narrow, colorScheme: "dark" } },
    // Every journey has a browser of its own to start: one after another.
    { name: "webkit", testDir: "e2e/engines" },
  ],
});
