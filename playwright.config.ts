/**
 * One configuration for every browser suite. `E2E_SUITE` names the suite (`e2e/suites.ts`); without it
 * the tests of `npm test` run. Start the others by their npm scripts, which find or install the browsers
 * first.
 */
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { type ChatTestConfig, suites } from "./e2e/suites.ts";
import { chromiumArguments } from "./testing/browsers/chromium-arguments.ts";
import { findBrowser } from "./testing/browsers/find-browsers.ts";
import { hideSettingsFiles } from "./testing/processes/settings-files.ts";

// Every run has the same environment on every machine: a live channel, named by the shell or by `.env.local`,
// is used by `npm run test:live` alone.
if (process.env["E2E_LIVE"] !== "1") {
  for (const name of ["CHAT_BASE_URL", "CHAT_CHANNEL_KEY", "CHAT_KEY"]) delete process.env[name];
}
Object.assign(process.env, hideSettingsFiles(process.env));
// Logs, answers and traces of the run, which the global teardown searches for keys.
process.env["E2E_RECORDS"] ??= join(tmpdir(), `shop-chat-records-${randomUUID()}`);

// Addresses of the shared test environment, for `e2e/support/global-setup.ts` and the tests.
process.env["E2E_PORT"] ??= "3900";
process.env["E2E_CHANNEL_PORT"] ??= "4900";
const executablePath = process.env["CHROMIUM_PATH"] ?? findBrowser();
// A live channel's agent may think for minutes.
const live = (process.env["CHAT_BASE_URL"] ?? "") !== "";

const base: ChatTestConfig = {
  testDir: "e2e",
  globalSetup: "./e2e/support/global-setup.ts",
  fullyParallel: true,
  // One browser per core: a third would saturate two processors, and each journey would wait longer.
  workers: 2,
  forbidOnly: process.env["CI"] !== undefined,
  // A retry would hide a flake.
  retries: 0,
  // Long enough for a machine that other programs keep busy, too.
  timeout: live ? 10 * 60_000 : 120_000,
  expect: { timeout: live ? 3 * 60_000 : 30_000 },
  reporter: [
    ["list"],
    ...(process.env["CI"] === undefined
      ? []
      : ([["junit", { outputFile: "test-results/junit.xml" }]] as const)),
  ],
  use: {
    baseURL: `http://localhost:${process.env["E2E_PORT"]}`,
    actionTimeout: live ? 3 * 60_000 : 0,
    // Recording a trace of every test slows the journeys down by a third.
    trace: process.env["E2E_TRACE"] === "1" ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [...chromiumArguments],
    },
  },
};

const name = process.env["E2E_SUITE"] ?? "main";
if (!Object.hasOwn(suites, name)) {
  throw new Error(`E2E_SUITE is ${name}: it must be one of ${Object.keys(suites).join(", ")}.`);
}

export default defineConfig({
  ...base,
  outputDir: name === "main" ? "test-results" : `test-results/${name}`,
  ...suites[name as keyof typeof suites](base),
});
