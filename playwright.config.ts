import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, devices } from "@playwright/test";
import { findBrowser } from "./scripts/browser.ts";
import { hideSettingsFiles } from "./scripts/environment.ts";

// Whatever is started here is the same for everyone: a live channel, and what `.env.local` says of it, is for
// `npm run test:live` alone, which asks first. `CONTRACT_EXACT=1`: a channel of this tree that was started by hand.
if (process.env["E2E_LIVE"] !== "1" && process.env["CONTRACT_EXACT"] !== "1") {
  for (const name of ["CHAT_BASE_URL", "CHAT_CHANNEL_KEY", "CHAT_KEY"]) delete process.env[name];
}
Object.assign(process.env, hideSettingsFiles(process.env));
// One name for all workers of a run: the chats that they share are created under keys made of it.
process.env["CONTRACT_RUN_ID"] ??= randomUUID();
// Where the programs of the run leave what is searched for keys at its end.
process.env["E2E_RECORDS"] ??= join(tmpdir(), `shop-chat-records-${randomUUID()}`);

// The shared world's addresses, for `e2e/support/around-run.ts` and the tests.
process.env["E2E_PORT"] ??= "3900";
process.env["E2E_CHANNEL_PORT"] ??= "4900";
const executablePath = process.env["CHROMIUM_PATH"] ?? findBrowser();
// A live channel's agent may think for minutes.
const live = (process.env["CHAT_BASE_URL"] ?? "") !== "";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/support/around-run.ts",
  outputDir: "test-results",
  fullyParallel: true,
  // More than two cores: a journey waits for a good part of its time.
  workers: 3,
  forbidOnly: process.env["CI"] !== undefined,
  // A retry would hide a flake: its cause is to be found.
  retries: 0,
  timeout: live ? 10 * 60_000 : 45_000,
  expect: { timeout: live ? 3 * 60_000 : 10_000 },
  reporter: [
    ["list"],
    ...(process.env["CI"] === undefined
      ? []
      : ([["junit", { outputFile: "test-results/junit.xml" }]] as const)),
  ],
  use: {
    baseURL: `http://localhost:${process.env["E2E_PORT"]}`,
    actionTimeout: live ? 3 * 60_000 : 0,
    // Recording a trace of every test makes the journeys a third slower.
    trace: process.env["E2E_TRACE"] === "1" ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    // First, since these mostly wait: beside them the other workers have the machine.
    { name: "faults", testDir: "e2e/faults", use: { ...devices["Desktop Chrome"] } },
    // By folder, not by a pattern of the whole path, which the name of a checkout's folder could match.
    { name: "contract", testDir: "e2e/contract", use: { trace: "off", screenshot: "off" } },
    { name: "bff", testDir: "e2e/bff" },
    {
      name: "desktop",
      testDir: "e2e/journeys",
      testIgnore: "**/*.phone.spec.ts",
      // The other width and the dark are played by playwright.looks.config.ts.
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      testDir: "e2e/journeys",
      testMatch: "**/*.phone.spec.ts",
      use: { ...devices["Pixel 7"], viewport: { width: 390, height: 844 } },
    },
    // For `npm run test:live` alone.
    { name: "live", testDir: "e2e/live", use: { ...devices["Desktop Chrome"] } },
  ],
});
