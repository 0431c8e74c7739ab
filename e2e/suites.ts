/** The browser suites: `E2E_SUITE` names one of them for playwright.config.ts. */
import { devices, type PlaywrightTestConfig } from "@playwright/test";
import type { ChatTestOptions } from "./support/chat-page.ts";

export type ChatTestConfig = PlaywrightTestConfig<ChatTestOptions>;

/**
 * Journeys of rare errors, of other forms of the chat and of the team's console: files named
 * `*.rare.spec.ts` and tests tagged `@rare`.
 */
const rare = /\.rare\.spec\.ts|@rare/;

const desktop = { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } };
const phone = { ...devices["Pixel 7"], viewport: { width: 390, height: 844 } };

/**
 * The BFF, and the journeys at 1440 pixels in light (`npm run test:e2e`). `npm test` leaves the
 * projects `rare` and `faults` to `.ci/run`.
 */
const main = (base: ChatTestConfig): ChatTestConfig => ({
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
    { name: "phone", testDir: "e2e/journeys", testMatch: "**/*.phone.spec.ts", use: phone },
    // Only for `npm run test:live`.
    { name: "live", testDir: "e2e/live", use: { ...devices["Desktop Chrome"] } },
  ],
});

const viewportsOf = [
  { name: "1440 light", use: desktop, testIgnore: "**/phone-keyboard.spec.ts" },
  { name: "1440 dark", use: { ...desktop, colorScheme: "dark" }, testMatch: "**/low-vision.spec.ts" },
  { name: "390 light", use: phone, testMatch: /(focus|keyboard|low-vision)\.spec\.ts$/ },
] as const;

/**
 * The tests of `e2e/viewports` at 1440 and 390 pixels, and the journeys tagged `@phone`, whose layout or
 * controls are others on a phone (`node scripts/test-browser.ts viewports`, after `npm run build`). The
 * gallery shows every state of the chat in the dark scheme.
 */
const viewports = (base: ChatTestConfig): ChatTestConfig => ({
  reporter: "list",
  use: { ...base.use, checkAccessibilityAtEnd: true },
  projects: [
    ...viewportsOf.map((viewport) => ({ testDir: "e2e/viewports", ...viewport })),
    { name: "390 light, journeys", testDir: "e2e/journeys", grep: /@phone/, use: phone },
  ],
});

/** The development server compiles a page when a journey first opens it, and the journey waits. */
const compileTimeout = 60_000;

/** Sources, products, files, a form, a person, a reload, two tabs, a linked chat, and a sign-in. */
const mainJourneys = new RegExp(
  [
    "answers a question about delivery with a source",
    "shows three helmets for a question about helmets",
    "attaches, sends and opens pictures and documents",
    "validates answers, keeps them across a reload and submits them",
    "passes a chat to the team until it is resolved",
    "in the middle of a reply",
    "shows a chat's first reply in a second tab when it is finished",
    "opens a linked chat once",
    "signs a customer in, shows their orders across a reload and signs out",
  ].join("|"),
);

/**
 * The main journeys against the shop as `npm run dev` serves it (`node scripts/test-browser.ts development`),
 * where React's strict mode mounts every component twice and React and Next print their warnings.
 */
const development = (base: ChatTestConfig): ChatTestConfig => ({
  globalSetup: "./e2e/development/global-setup.ts",
  reporter: "list",
  // The development server alone keeps two cores busy.
  workers: 1,
  timeout: 4 * compileTimeout,
  expect: { timeout: compileTimeout },
  use: {
    ...base.use,
    ...desktop,
    failOnWarnings: true,
  },
  projects: [
    { name: "development", testDir: "e2e/development" },
    { name: "journeys", testDir: "e2e/journeys", grep: mainJourneys },
  ],
});

const webkitViewports = [
  { name: "1440 light", use: { viewport: { width: 1440, height: 900 }, colorScheme: "light" } },
  { name: "390 dark", use: { viewport: { width: 390, height: 844 }, colorScheme: "dark" } },
] as const;

/**
 * The main journeys in WebKit, by WebKitGTK's own driver (`node scripts/test-browser.ts engines`, after
 * `npm run build`).
 */
const engines = (): ChatTestConfig => ({
  reporter: "list",
  projects: webkitViewports.map(({ name, use }) => ({
    name: `webkit ${name}`,
    testDir: "e2e/engines",
    testIgnore: use.viewport.width === 390 ? [] : ["**/*.phone.spec.ts"],
    use,
  })),
});

const galleryPort = process.env["E2E_GALLERY_PORT"] ?? "3910";

/** The gallery exists in development only. It makes no Chat API calls, so no channel runs behind it. */
const galleryServer = {
  command: `"${process.execPath}" node_modules/next/dist/bin/next dev -H 127.0.0.1 -p ${galleryPort}`,
  url: `http://localhost:${galleryPort}/gallery?section=none`,
  reuseExistingServer: process.env["E2E_GALLERY_PORT"] !== undefined,
  timeout: 180_000,
  gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  env: {
    NODE_ENV: "development",
    // Next locks its build folder, and a running `next dev` may hold the default one.
    NEXT_DIST_DIR: ".next-gallery",
    APP_ORIGIN: `http://localhost:${galleryPort}`,
    CHAT_BASE_URL: "http://127.0.0.1:9",
    CHAT_CHANNEL_KEY: "dep_gallery",
    CHAT_KEY: "ck_gallery",
    SESSION_SECRET: "the gallery keeps no session and needs a seal all the same",
    LOG_LEVEL: "silent",
    NEXT_TELEMETRY_DISABLED: "1",
  },
} as const;

/** The chat's gallery: every state is accessible and matches its reference screenshot. */
const gallery = (): ChatTestConfig => ({
  // Without a shop and a channel there are no records to search for keys.
  globalSetup: [],
  reporter: "list",
  projects: [
    {
      name: "gallery",
      testDir: "e2e/gallery",
      snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
      use: {
        ...devices["Desktop Chrome"],
        baseURL: `http://localhost:${galleryPort}`,
        locale: "en-GB",
        timezoneId: "Europe/London",
        contextOptions: { reducedMotion: "reduce" },
      },
    },
  ],
  webServer: galleryServer,
});

/** The chat in host apps (`npm run test:integrate`, which makes and starts them first). */
const integrate = (): ChatTestConfig => ({
  // `run-integrate.ts` has started the channel and the apps.
  globalSetup: [],
  reporter: "list",
  // Six servers run beside the browsers, perhaps on two slow cores.
  workers: 2,
  timeout: 3 * 60_000,
  expect: { timeout: 30_000 },
  projects: [
    {
      name: "integrate",
      testDir: "e2e/integrate",
      testMatch: "**/*.spec.ts",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 860 } },
    },
  ],
});

export const suites = { main, viewports, development, engines, gallery, integrate };
