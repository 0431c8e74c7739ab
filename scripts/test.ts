/** Runs all checks and tests, the cheapest first, and stops at the first failure. */
import { spawnSync } from "node:child_process";
import { findOrInstallBrowser } from "../testing/browsers/find-browsers.ts";
import { hideSettingsFiles } from "../testing/processes/settings-files.ts";
import { testKeys } from "../testing/test-keys.ts";
import { root } from "./launcher/environment.ts";

const parts: readonly [name: string, script: string][] = [
  ["types, style, import rules, dead code", "check"],
  ["unit tests", "test:unit"],
  ["production build", "build"],
  ["contract tests and browser journeys", "test:e2e"],
  ["random faults", "test:faults"],
];

const started = Date.now();
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(0)} s`;
const summary: string[] = [];

// Live channels of the shell or `.env.local` are only for `npm run test:live`, which asks for confirmation.
for (const name of ["CHAT_BASE_URL", "CHAT_CHANNEL_KEY", "CHAT_KEY"]) delete process.env[name];
const env = hideSettingsFiles(process.env);

const browser = findOrInstallBrowser();
for (const [name, script] of parts) {
  const partStarted = Date.now();
  console.log(`\n── ${name} (npm run ${script})\n`);
  const { status } = spawnSync("npm", ["run", "--silent", script], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...env,
      CHROMIUM_PATH: browser,
      NEXT_TELEMETRY_DISABLED: "1",
      // A build needs no keys. This one gets the tests' keys, so that search-records.ts would find them in
      // it.
      ...(script === "build" ? { CHAT_KEY: testKeys.chatKey, SESSION_SECRET: testKeys.sessionSecret } : {}),
    },
    shell: process.platform === "win32",
  });
  summary.push(`${status === 0 ? "passed" : "FAILED"}  ${name} (${seconds(partStarted)})`);
  if (status !== 0) {
    console.error(`\n${summary.join("\n")}\nnpm test failed in "${name}" after ${seconds(started)}.`);
    process.exit(status ?? 1);
  }
}
console.log(`\n${summary.join("\n")}\nAll parts passed in ${seconds(started)}.`);
