/**
 * Runs contract tests and browser journeys against a live channel, named by CHAT_BASE_URL, CHAT_CHANNEL_KEY
 * and CHAT_KEY. Leaves out contract tests that need the channel's lab, our agent's replies or our decisions
 * where the specification leaves a choice, whose table says how many, and journeys without the tag `@live`.
 * Prints the cost to the shop's plan, and stops without `--yes` or when the channel serves no customers. When
 * the plan runs out or the channel stops serving, the affected tests are skipped with the reason.
 */
import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationError, readConfig } from "#lib/bff/configuration/env.ts";
import { settingsOrExit } from "../../processes/environment.ts";
import { root } from "../../processes/root.ts";
import { chatApiRemedy } from "../../scripts/doctor-checks.ts";
import { findOrInstallBrowser } from "../../testing/browsers/find-browsers.ts";
import { hideSettingsFiles } from "../../testing/processes/settings-files.ts";
import { countsOf, reportOf, sentenceOf, textOf } from "../contract/report.ts";
import { mostChats, verify } from "../contract/verify.ts";
import { readLiveRun } from "../support/live-run.ts";

const playwright = join("node_modules", "@playwright", "test", "cli.js");
const journeyArguments = [
  ...["desktop", "rare", "phone", "live"].map((name) => `--project=${name}`),
  "--grep=@live",
];

const usage = `npm run test:live -- [--contract | --journeys] [--built] --yes

  --contract   only the contract tests (HTTP; no browser, no build)
  --journeys   only the browser journeys, with the shop built and started in front of the channel
  --built      the journeys take the shop's build as it is
  --yes        run them; without it, only print the cost`;

interface ListedSuite {
  suites?: ListedSuite[];
  specs?: { tests: { annotations: { type: string; description?: string }[] }[] }[];
}

function listedTests(suite: ListedSuite): { type: string; description?: string }[][] {
  return [
    ...(suite.specs ?? []).flatMap((spec) => spec.tests.map((test) => test.annotations)),
    ...(suite.suites ?? []).flatMap(listedTests),
  ];
}

/** The number of journeys and the sum of the chats in their annotations. */
function journeyChats(env: NodeJS.ProcessEnv): { journeys: number; chats: number } {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [playwright, "test", "--list", "--reporter=json", ...journeyArguments],
    { cwd: root, encoding: "utf8", env: { ...env, E2E_ENVIRONMENT: "none" }, maxBuffer: 64 * 1024 * 1024 },
  );
  // The format of Playwright's JSON reporter.
  const report = status === 0 || stdout !== "" ? (JSON.parse(stdout) as ListedSuite) : undefined;
  if (report === undefined) throw new Error(`The journeys could not be listed:\n${stderr}`);
  const journeys = listedTests(report);
  const chats = journeys
    .map((annotations) => annotations.find(({ type }) => type === "chats")?.description)
    .reduce((sum, given) => sum + Number(given ?? 0), 0);
  return { journeys: journeys.length, chats };
}

/** The problem of the three variables or the channel that they name; undefined without one. */
async function remedyOf(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    // The shop under test makes its own session secret.
    const sessionSecret = randomBytes(32).toString("base64url");
    return await chatApiRemedy(readConfig({ ...env, SESSION_SECRET: sessionSecret }));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ variable, remedy }) => `${variable} ${remedy}`).join("\n");
  }
}

function passed(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env }).status === 0;
}

/** Counts of the tests that ran, for the end of the output. */
const counts: string[] = [];

/** Runs with one worker: the tests share chats, and a chat answers one message at a time. */
function passedTests(suite: string, args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const report = join(tmpdir(), `shop-chat-live-report-${randomUUID()}.json`);
  const hasPassed = passed([playwright, "test", "--workers=1", "--reporter=list,json", ...args], {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  // Playwright writes no report when it cannot start, for example for want of a browser.
  if (!existsSync(report)) return hasPassed;
  const { stats } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  counts.push(`${suite}: ${stats.expected} passed, ${stats.skipped} skipped, ${stats.unexpected} failed`);
  return hasPassed;
}

async function passedContract(): Promise<boolean> {
  process.env["E2E_LIVE_RUN"] = runFile;
  const results = await verify(
    {
      base: new URL(settings["CHAT_BASE_URL"] ?? ""),
      channelKey: settings["CHAT_CHANNEL_KEY"] ?? "",
      chatKey: settings["CHAT_KEY"] ?? "",
      live: true,
      teamKey: undefined,
    },
    { onResult: ({ outcome, title }) => console.log(`  ${outcome} ${title}`) },
  );
  console.log(`\n${textOf(reportOf(results))}`);
  counts.push(`Contract tests: ${sentenceOf(countsOf(results))}`);
  return countsOf(results).failed === 0;
}

const given = new Set(process.argv.slice(2));
const unknown = [...given].filter(
  (option) => !["--contract", "--journeys", "--built", "--yes"].includes(option),
);
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(" ")}\n\n${usage}`);
  process.exit(2);
}

const channelVariables = ["CHAT_BASE_URL", "CHAT_CHANNEL_KEY", "CHAT_KEY"];
const environment = { ...process.env };
const settings = settingsOrExit();
const missing = channelVariables.filter((name) => !settings[name]);
if (missing.length > 0) {
  console.error(
    `${missing.join(", ")} must be set (in the environment or in .env.local): the channel to test.\n\n${usage}`,
  );
  process.exit(2);
}

const runFile = join(tmpdir(), `shop-chat-live-${randomUUID()}`);
const withContract = !given.has("--journeys") || given.has("--contract");
const withJourneys = !given.has("--contract") || given.has("--journeys");
// The tests take only the channel and its certificate authority from `.env.local`. They start their own shop.
const env = hideSettingsFiles({
  ...environment,
  ...Object.fromEntries([...channelVariables, "NODE_EXTRA_CA_CERTS"].map((name) => [name, settings[name]])),
  E2E_LIVE: "1",
  E2E_LIVE_RUN: runFile,
  NEXT_TELEMETRY_DISABLED: "1",
});

const contractChats = await mostChats();
const { journeys, chats } = withJourneys ? journeyChats(env) : { journeys: 0, chats: 0 };
const total = (withContract ? contractChats : 0) + chats;
console.log(
  [
    `Channel ${settings["CHAT_CHANNEL_KEY"]} at ${settings["CHAT_BASE_URL"]}`,
    `Chats that will be created: at most ${total}`,
    ...(withContract
      ? [`  ${contractChats} by the contract tests, which fill one of them with files to its limit`]
      : []),
    ...(withJourneys ? [`  ${chats} by ${journeys} browser journeys`] : []),
    "Its agent will answer messages in most of them.",
  ].join("\n"),
);
if (!given.has("--yes")) {
  console.log("\nNothing was sent. Add --yes to run the tests.");
  process.exit(2);
}

const remedy = await remedyOf(env);
if (remedy !== undefined) {
  console.error(`\nThe channel would not serve a customer, so nothing was sent.\n      ${remedy}`);
  process.exit(1);
}

const failures: string[] = [];
if (withContract && !(await passedContract())) failures.push("contract tests");
if (withJourneys && (failures.length === 0 || (await remedyOf(env)) === undefined)) {
  const browser = findOrInstallBrowser();
  if (!given.has("--built") && !passed([join("scripts", "build.ts")], env)) failures.push("production build");
  else if (!passedTests("Browser journeys", journeyArguments, { ...env, CHROMIUM_PATH: browser }))
    failures.push("browser journeys");
}

console.log(`\n${counts.join("\n")}`);
const { chatsCreated, planEnded } = readLiveRun(runFile);
rmSync(runFile, { force: true });
const remedyNow = failures.length === 0 ? undefined : await remedyOf(env);
if (remedyNow !== undefined) {
  console.log(
    `\nThe channel stopped serving customers, so later tests failed or were skipped.\n      ${remedyNow}`,
  );
}
if (planEnded) {
  const rest = failures.length === 0 ? " Nothing else is wrong: all the others passed." : "";
  console.log(
    `\nThe shop's plan ended after ${chatsCreated} chats (chat_limit_reached) of up to ${total}, so tests that need more were left out.${rest}`,
  );
}
if (failures.length > 0) console.log(`\nFAILED: ${failures.join(", ")}`);
else if (!planEnded) console.log("\nAll passed.");
process.exit(failures.length === 0 && !planEnded ? 0 : 1);
