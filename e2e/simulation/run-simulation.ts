/**
 * `npm run test:simulation`: plays episodes of the whole chat in virtual time (docs/simulation.md).
 *
 *   --seed N       the first episode's seed; without it a random one. Prints either
 *   --steps N      ends after this many steps
 *   --episodes N   ends after this many episodes
 *   --minutes N    ends after this time; without any of the three, after a minute
 *   --episode N    plays the episode of this seed alone and prints its whole history
 *   --only NAMES   of that episode, only these actions, events and faults: "action 3,page 12"
 *   --channel real plays the real channel on PGlite in place of the model
 *   --digests      prints a digest of each episode's history
 *   --mutant NAME  puts a fault of mutants.ts into the product, and ends when it is found
 *   --all          goes on after a violation, of which only a line is printed
 *
 * A violation ends the run: its episode is made smaller and printed.
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { realNow } from "./virtual-time.ts";

// Until it has played: a program that ends before that, for whatever reason, has found nothing.
process.exitCode = 1;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    steps: { type: "string" },
    episodes: { type: "string" },
    minutes: { type: "string" },
    episode: { type: "string" },
    only: { type: "string" },
    mutant: { type: "string" },
    channel: { type: "string", default: "model" },
    all: { type: "boolean", default: false },
    digests: { type: "boolean", default: false },
  },
});

if (values.mutant !== undefined) (await import("./mutants.ts")).putIn(values.mutant);
// The product is imported after its timers and clocks have been replaced.
const { runEpisode } = await import("./episode.ts");
const { sentencesOf, shrink } = await import("./shrink.ts");

const isReal = values.channel === "real";
if (!isReal && values.channel !== "model") throw new Error('--channel is "model" or "real"');
const makeChatApi = isReal ? await (await import("./real-channel.ts")).openRealChannel() : undefined;
const channelOption = makeChatApi && { makeChatApi };

/** How long an episode with a violation is made smaller. */
const shrinkTime = 120_000;

const {
  episode,
  steps: wantedSteps,
  episodes,
  minutes = (wantedSteps ?? episodes) ? undefined : "1",
} = values;
if (episode !== undefined) await playOne(Number(episode));
else await playMany(Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)));

async function playOne(seed: number): Promise<void> {
  const { history, violation, digest } = await runEpisode({
    seed,
    ...channelOption,
    ...(values.only !== undefined && { only: new Set(values.only.split(",")) }),
  });
  console.log([...history, `${history.length} steps, ${digest}`].join("\n"));
  if (violation === null) process.exitCode = 0;
  else console.log(`${violation.invariant}: ${violation.what}`);
}

async function playMany(first: number): Promise<void> {
  const begun = realNow();
  const mostSteps = Number(wantedSteps ?? Number.POSITIVE_INFINITY);
  const endSeed = first + Number(episodes ?? Number.POSITIVE_INFINITY);
  const end = begun + Number(minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  const digest = createHash("sha256");
  let steps = 0;
  let violations = 0;
  let seed = first;
  console.log(`seed ${first}`);
  for (; seed < endSeed && steps < mostSteps && realNow() < end; seed += 1) {
    const result = await runEpisode({ seed, ...channelOption });
    steps += result.steps;
    digest.update(result.digest);
    if (values.digests) console.log(`episode ${seed}: ${result.digest}`);
    if (result.violation === null) continue;
    const { invariant, what } = result.violation;
    console.log(`episode ${seed} after ${steps} steps: ${invariant}: ${what}`);
    violations += 1;
    if (values.all) continue;
    if (values.mutant !== undefined) return;
    const until = realNow() + shrinkTime;
    const small = await shrink({ seed, ...channelOption }, result, () => realNow() < until);
    console.log(["It takes:", ...sentencesOf(small.history), `${small.violation?.what}`].join("\n"));
    const again = `--channel ${values.channel} --episode ${seed} --only "${small.decisions.join(",")}"`;
    console.log(`Play it again: npm run test:simulation -- ${again}`);
    return;
  }
  const seconds = (realNow() - begun) / 1_000;
  const history = digest.digest("hex").slice(0, 16);
  const { user, system } = process.cpuUsage();
  const took = `${seconds.toFixed(1)} s (${((user + system) / 1_000_000).toFixed(1)} s of processor time)`;
  console.log(`${seed - first} episodes, ${steps} steps in ${took}, history ${history}`);
  if (steps > 0 && violations === 0) process.exitCode = 0;
}
