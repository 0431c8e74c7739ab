/**
 * The main journeys against the shop as `npm run dev` serves it (`node scripts/test-browser.ts development`),
 * where React's strict mode mounts every component twice and React and Next print their warnings.
 */
import { devices } from "@playwright/test";
import type { ChatTestConfig } from "./main.ts";

/** The development server compiles a page when a journey first opens it, and the journey waits. */
const compileTimeout = 60_000;

/** One journey each with sources, products, files, a form, a person, a reload, and a sign-in. */
const mainJourneys = new RegExp(
  [
    "answers a question about delivery with a source",
    "shows three helmets for a question about helmets",
    "attaches, sends and opens pictures and documents",
    "validates answers, keeps them across a reload and submits them",
    "passes a chat to the team until it is resolved",
    "in the middle of a reply",
    "signs a customer in, shows their orders across a reload and signs out",
  ].join("|"),
);

export const development = (base: ChatTestConfig): ChatTestConfig => ({
  globalSetup: "./e2e/development/global-setup.ts",
  reporter: "list",
  // The development server alone keeps two cores busy.
  workers: 1,
  timeout: 4 * compileTimeout,
  expect: { timeout: compileTimeout },
  use: {
    ...base.use,
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    failOnWarnings: true,
  },
  projects: [
    { name: "development", testDir: "e2e/development" },
    { name: "journeys", testDir: "e2e/journeys", grep: mainJourneys },
  ],
});
