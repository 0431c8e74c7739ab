/**
 * `npm run bench` measures every part that docs/performance.md shows; `npm run bench -- reads streams
 * --seconds 5` measures two of them for a shorter time. `npm run bench -- --help` lists them all, with the
 * options.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { root } from "../processes/root.ts";
import { manyUploads, uploads } from "./parts/files.ts";
import { pages, reads } from "./parts/reads.ts";
import { firstEvent, idleStreams, manyStreams, saturation } from "./parts/streams.ts";
import { turns } from "./parts/turns.ts";
import { describeMachine, pinSelf } from "./support/machine.ts";
import type { Options, Part } from "./support/part.ts";
import { printPart } from "./support/report.ts";
import { runPart } from "./support/run-part.ts";
import { Bench, type TargetName, targetNames } from "./support/targets.ts";

/** Every part, as docs/performance.md lists them. */
const parts: Readonly<Record<string, Part>> = {
  reads,
  pages,
  first: firstEvent,
  streams: manyStreams,
  saturation,
  idle: idleStreams,
  uploads,
  "many-uploads": manyUploads,
  turns,
};

const partNames = Object.keys(parts);

const usage = `npm run bench [-- part … --seconds N --rounds N --targets NAME,NAME --stored N,N]
  parts: ${partNames.join(", ")}
  targets: ${targetNames.join(", ")}
  --stored N,N   messages in the channel's databases of the part turns
  --no-build     measures the last build
  --profile DIR  writes CPU profiles of the targets into this folder`;

const { options, chosen, profile, isBuilt } = readArguments();
if (profile !== undefined) process.env["BENCH_PROFILE"] = profile;
console.log(`${describeMachine()}; ${options.rounds} rounds of ${options.seconds} s\n`);
if (!isBuilt) buildTargets(options.targets);
pinSelf();
// The programs end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const bench = await Bench.start();
try {
  for (const name of chosen) {
    const part = parts[name];
    if (part === undefined) continue;
    printPart(await runPart(name, part, options, bench));
  }
} finally {
  await bench.stop();
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        seconds: { type: "string", default: "10" },
        rounds: { type: "string", default: "3" },
        targets: { type: "string", default: targetNames.join(",") },
        stored: { type: "string", default: "1000" },
        "no-build": { type: "boolean", default: false },
        profile: { type: "string" },
      },
    });
    if (values.help === true) {
      console.log(usage);
      process.exit();
    }
    const options: Options = {
      seconds: positive("--seconds", values.seconds),
      rounds: positive("--rounds", values.rounds),
      targets: checkedNames(values.targets.split(","), targetNames),
      stored: values.stored.split(",").map((count) => positive("--stored", count)),
    };
    const chosen = positionals.length > 0 ? checkedNames(positionals, partNames) : partNames;
    return { options, chosen, profile: values.profile, isBuilt: values["no-build"] };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return process.exit(1);
  }
}

/** Builds the targets' Next app if a part measures one. */
function buildTargets(targets: readonly TargetName[]): void {
  if (!targets.some((name) => name.startsWith("next-"))) return;
  const command = ["node_modules/next/dist/bin/next", "build", "bench/next"];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`The targets' Next app could not be built:\n${stdout}\n${stderr}`);
}

function positive(option: string, value: string): number {
  const number = Number(value);
  if (!(number > 0 && Number.isFinite(number)))
    throw new Error(`${option} is not a positive number: ${value}`);
  return number;
}

function checkedNames<Name extends string>(names: readonly string[], all: readonly Name[]): Name[] {
  return names.map((name) => {
    const found = all.find((one) => one === name);
    if (found === undefined) throw new Error(`Unknown name: ${name}`);
    return found;
  });
}
