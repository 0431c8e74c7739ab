/**
 * `npm run test:contract` and `npm run verify`: the contract tests against one channel, and a table of the
 * rules that they checked. The options say which channel.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../processes/root.ts";
import { hideSettingsFiles } from "../../testing/processes/settings-files.ts";
import { reportOf, sentenceOf, textOf } from "../contract/report.ts";
import { type Target, withLab } from "../contract/support/target.ts";
import { verify } from "../contract/verify.ts";

const usage = `npm run test:contract -- [options] [e2e/contract/NAME.spec.ts …]

  (none)            a channel of its own with the sandbox agent, on PGlite
  --database URL    the same on this database, such as postgres://chat@127.0.0.1/verify
  --running         a channel of this repository that CHAT_BASE_URL, CHAT_CHANNEL_KEY and CHAT_KEY name;
                    CHANNEL_TEAM_KEY for the tests that need its lab, which they reset
  --live [--yes]    any other channel that the three variables name; without --yes, only print the cost
  --grep TEXT       only tests whose title matches, as a regular expression
  --grep-invert TEXT   only the others
  --table FILE      print the table of rules, and write it to this Markdown file or between its lines
                    <!-- verified --> and <!-- end -->; - only prints it`;

const options = {
  database: { type: "string" },
  running: { type: "boolean" },
  live: { type: "boolean" },
  yes: { type: "boolean" },
  grep: { type: "string", short: "g" },
  "grep-invert": { type: "string" },
  table: { type: "string" },
} as const;

function readOptions() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

const { values, positionals: files } = readOptions();
if ([values.database, values.running, values.live].filter((given) => given !== undefined).length > 1) {
  console.error(`Give one of --database, --running and --live.\n\n${usage}`);
  process.exit(2);
}

// The live run asks first, checks the channel and reports what its plan has lost.
if (values.live === true) {
  const args = ["e2e/live/run-live.ts", "--contract", ...(values.yes === true ? ["--yes"] : [])];
  process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1);
}

async function runningTarget(): Promise<Target> {
  const { CHAT_BASE_URL, CHAT_CHANNEL_KEY: channelKey, CHAT_KEY: chatKey, CHANNEL_TEAM_KEY } = process.env;
  if (!CHAT_BASE_URL || !channelKey || !chatKey) {
    console.error(`CHAT_BASE_URL, CHAT_CHANNEL_KEY and CHAT_KEY must be set.\n\n${usage}`);
    process.exit(2);
  }
  const teamKey = CHANNEL_TEAM_KEY || undefined;
  return withLab({ base: new URL(CHAT_BASE_URL), channelKey, chatKey, live: false, teamKey });
}

/** A channel for this run alone: the lab's clock, limits and faults affect a whole channel. */
async function ownTarget(): Promise<Target & { stop(): Promise<void> }> {
  // The same on every machine: a live channel that the shell or `.env.local` names is not this one.
  for (const name of ["CHAT_BASE_URL", "CHAT_CHANNEL_KEY", "CHAT_KEY"]) delete process.env[name];
  Object.assign(process.env, hideSettingsFiles(process.env));
  // Read when the modules are loaded: logs of the run, which are searched for keys.
  process.env["E2E_RECORDS"] ??= join(tmpdir(), `shop-chat-records-${randomUUID()}`);
  const { sandboxAgent, TestEnvironment } = await import("../../testing/processes/test-environment.ts");
  const { searchRecords } = await import("../../testing/records/search-records.ts");
  const { database } = values;
  const own = database === undefined ? {} : { CHANNEL_DATABASE_URL: database };
  const channel = await TestEnvironment.startWithoutShop({
    env: { ...sandboxAgent, CHANNEL_AGENT_PACE: "0", ...own },
  });
  const { channelKey, chatKey, teamKey } = channel;
  const base = new URL(channel.channelUrl);
  return {
    base,
    channelKey,
    chatKey,
    teamKey,
    live: false,
    async stop() {
      await channel.stop();
      searchRecords();
    },
  };
}

const { grep = "", "grep-invert": inverted = "^\\b$" } = values;
const started = performance.now();
const own = values.running === true ? undefined : await ownTarget();
const results = await verify(own ?? (await runningTarget()), {
  files,
  isChosen: (title) => new RegExp(grep).test(title) && !new RegExp(inverted).test(title),
  onResult: ({ outcome, file, title, reason }) =>
    process.stdout.write(outcome === "failed" ? `\n✘ ${file}: ${title}\n${reason}\n` : "·"),
}).finally(() => own?.stop());
const report = reportOf(results);
if (values.table !== undefined) {
  const text = textOf(report);
  console.log(`\n\n${text}`);
  if (values.table !== "-") writeFileSync(values.table, placed(text, values.table));
}
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(`\n${sentenceOf(report)}, in ${seconds} s.`);
process.exit(report.failed === 0 ? 0 : 1);

function placed(text: string, file: string): string {
  const page = existsSync(file) ? readFileSync(file, "utf8") : "";
  const between = /(?<=<!-- verified -->\n).*?(?=<!-- end -->)/s;
  return between.test(page) ? page.replace(between, () => `\n${text}\n`) : text;
}
