/** Everything, in the order in which faults are cheapest to see. Stops at the first part that fails. */
import { spawnSync } from "node:child_process";
import { testKeys } from "../e2e/support/world.ts";
import { findOrInstallBrowser } from "./browser.ts";
import { hideSettingsFiles, root } from "./environment.ts";

const parts: readonly [name: string, script: string][] = [
  ["types, style, import rules, dead code", "check"],
  ["unit tests", "test:unit"],
  ["production build", "build"],
  ["contract tests and browser journeys", "test:e2e"],
];

const started = Date.now();
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(0)} s`;
const summary: string[] = [];

// `npm test` stands for itself: a live channel that the shell or `.env.local` names is for `npm run test:live`, which asks first.
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
      // A build needs no key. This one has the tests' own at hand, which are searched for in it (e2e/support/search-records.ts).
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
