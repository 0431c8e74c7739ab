/**
 * `npm run verify`: the contract tests against one channel, and a table of operations and rules that they
 * checked. The options say which channel.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../processes/root.ts";

const usage = `npm run verify -- [options]

  (none)            a channel of its own with the sandbox agent, on PGlite
  --database URL    the same on this database, such as postgres://chat@127.0.0.1/verify
  --running         a channel of this repository that CHAT_BASE_URL, CHAT_CHANNEL_KEY and CHAT_KEY name;
                    CHANNEL_TEAM_KEY for the tests that need its lab, which they reset
  --live [--yes]    any other channel that the three variables name; without --yes, only print the cost
  --table FILE      also write the table to this Markdown file, or between its lines
                    <!-- verified --> and <!-- end -->`;

const options = {
  database: { type: "string" },
  running: { type: "boolean" },
  live: { type: "boolean" },
  yes: { type: "boolean" },
  table: { type: "string" },
} as const;

function readOptions() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

const { database, running, live, yes, table } = readOptions();
if ([database, running, live].filter((given) => given !== undefined).length > 1) {
  console.error(`Give one of --database, --running and --live.\n\n${usage}`);
  process.exit(2);
}
if (running === true && !process.env["CHAT_BASE_URL"]) {
  console.error(`CHAT_BASE_URL must be set.\n\n${usage}`);
  process.exit(2);
}

const env = {
  ...process.env,
  ...(database === undefined ? {} : { CHANNEL_DATABASE_URL: database }),
  ...(running === true ? { CONTRACT_EXACT: "1" } : {}),
  ...(table === undefined ? {} : { VERIFY_TABLE: table }),
};
const playwright = [
  join("node_modules", "@playwright", "test", "cli.js"),
  "test",
  "--project=contract",
  "--workers=1",
  "--reporter=dot,./e2e/contract/support/coverage-reporter.ts",
];
// The live run asks first, checks the channel and reports what its plan has lost.
const args =
  live === true ? ["e2e/live/run-live.ts", "--contract", ...(yes === true ? ["--yes"] : [])] : playwright;
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: "inherit",
  env: live === true ? env : { ...env, E2E_ENVIRONMENT: "none" },
});
process.exit(status ?? 1);
