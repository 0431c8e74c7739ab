/**
 * Runs `npm run test:live` against channels of this repository without their lab, as against a live one, and
 * counts the tests that ran: all of them, then those before and without chats of a plan that ends. Needs
 * `npm run build`.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Lab } from "../../channel/lab/lab-client.ts";
import { root } from "../../processes/root.ts";
import { TestEnvironment } from "../../testing/processes/test-environment.ts";
import { chatPlan } from "../contract/support/chats.ts";

interface Counts {
  passed: number;
  skipped: number;
  failed: number;
}

interface LiveRun {
  status: number;
  output: string;
  contract: Counts | undefined;
  journeys: Counts | undefined;
}

async function runLive(channel: TestEnvironment, options: readonly string[]): Promise<LiveRun> {
  const env = {
    ...process.env,
    CHAT_BASE_URL: channel.channelUrl,
    CHAT_CHANNEL_KEY: channel.channelKey,
    CHAT_KEY: channel.chatKey,
  };
  const program = spawn(
    process.execPath,
    [join("e2e", "live", "run-live.ts"), "--yes", "--built", ...options],
    {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  program.stdout.setEncoding("utf8").on("data", (piece: string) => {
    process.stdout.write(piece);
    output += piece;
  });
  const [status] = await once(program, "close");
  const counts = (suite: string): Counts | undefined => {
    const [, passed, skipped, failed] =
      new RegExp(`^${suite}: (\\d+) passed, (\\d+) skipped, (\\d+) failed$`, "m").exec(output) ?? [];
    return passed === undefined
      ? undefined
      : { passed: Number(passed), skipped: Number(skipped), failed: Number(failed) };
  };
  return { status, output, contract: counts("Contract tests"), journeys: counts("Browser journeys") };
}

async function withChannel<T>(
  env: Record<string, string>,
  use: (channel: TestEnvironment) => Promise<T>,
): Promise<T> {
  const channel = await TestEnvironment.startWithoutShop({ env });
  try {
    return await use(channel);
  } finally {
    await channel.stop();
  }
}

/** A run in front of a plan with this number of chats. */
function runOnPlan(chatsPerChannel: number, options: readonly string[]): Promise<LiveRun> {
  return withChannel({}, async (channel) => {
    await new Lab(channel).changeLimits({ chatsPerChannel });
    return runLive(channel, options);
  });
}

/**
 * A run in which no test failed, more was skipped than on a whole plan, and the run says why and exits
 * non-zero.
 */
function expectEndOfPlan(
  { status, output }: LiveRun,
  counts: Counts | undefined,
  all: Counts,
  chats: number,
) {
  assert.equal(status, 1);
  assert.equal(counts?.failed, 0);
  assert.ok(counts.skipped > all.skipped);
  assert.equal(counts.passed + counts.skipped, all.passed + all.skipped);
  assert.match(output, new RegExp(`plan ended after ${chats} chats .* Nothing else is wrong`));
}

const whole = await withChannel({ CHANNEL_LAB: "0" }, (channel) => runLive(channel, []));
assert.equal(whole.status, 0);
const { contract, journeys } = whole;
assert.ok(contract !== undefined && journeys !== undefined);
assert.deepEqual([contract.failed, journeys.skipped, journeys.failed], [0, 0, 0]);
assert.match(whole.output, /\d+ skipped: this channel has no lab/);
assert.match(whole.output, /✓.* \[live\] › e2e\/live\/any-agent\.spec\.ts/);

const halfOfPlan = Math.floor(Object.keys(chatPlan).length / 2);
const shortContract = await runOnPlan(halfOfPlan, ["--contract"]);
expectEndOfPlan(shortContract, shortContract.contract, contract, halfOfPlan);

const fewChats = 3;
const shortJourneys = await runOnPlan(fewChats, ["--journeys"]);
expectEndOfPlan(shortJourneys, shortJourneys.journeys, journeys, fewChats);
console.log("\nThe live suite ran as it should before a whole plan and before two that end.");
