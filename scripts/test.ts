/**
 * `npm test`: runs the parts below and stops after the first one that fails. The unit tests run in parallel
 * with the checks and the build, which use one core for most of their time; their result counts after the
 * build. The contract tests run beside the journeys, which mostly wait.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "../processes/root.ts";
import { findOrInstallBrowser } from "../testing/browsers/find-browsers.ts";
import { hideSettingsFiles } from "../testing/processes/settings-files.ts";
import { testKeys } from "../testing/test-keys.ts";

const parts = {
  check: "types, style, import rules, dead code, documents",
  build: "production build",
  "test:unit": "unit tests",
  "test:contract": "contract tests",
  "test:e2e": "browser journeys",
} as const;

const started = Date.now();
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(0)} s`;
const summary: string[] = [];

// A live channel that the shell or `.env.local` names is only for `npm run test:live`, which asks first.
for (const name of ["CHAT_BASE_URL", "CHAT_CHANNEL_KEY", "CHAT_KEY"]) delete process.env[name];
const env = hideSettingsFiles(process.env);

const browser = findOrInstallBrowser();

/** Resolves with whether the part passed. Kept output is shown at its end. */
async function run(script: keyof typeof parts, output: "inherit" | "pipe" = "inherit"): Promise<boolean> {
  const partStarted = Date.now();
  const title = `\n── ${parts[script]} (npm run ${script})\n`;
  if (output === "inherit") console.log(title);
  const args = script === "test:unit" ? ["--", "--project=!programs"] : [];
  const part = spawn("npm", ["run", "--silent", script, ...args], {
    cwd: root,
    stdio: ["inherit", output, output],
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
  const pieces: Buffer[] = [];
  for (const stream of [part.stdout, part.stderr]) stream?.on("data", (piece: Buffer) => pieces.push(piece));
  const [status] = await once(part, "close");
  if (output === "pipe") console.log(`${title}\n${Buffer.concat(pieces)}`);
  summary.push(`${status === 0 ? "passed" : "FAILED"}  ${parts[script]} (${seconds(partStarted)})`);
  return status === 0;
}

const unitTests = run("test:unit", "pipe");
const isReady = (await run("check")) && (await run("build")) && (await unitTests);
const contract = isReady && run("test:contract", "pipe");
const havePassed = isReady && (await run("test:e2e")) && (await contract);
// Awaited even after a failure: the tests stop the programs that they have started.
await Promise.all([unitTests, contract]);
const end = havePassed ? "All parts passed in" : "npm test failed after";
console.log(`\n${summary.join("\n")}\n${end} ${seconds(started)}.`);
process.exit(havePassed ? 0 : 1);
