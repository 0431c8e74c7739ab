/**
 * `npm run bench` measures every part that docs/performance.md shows; `npm run bench -- reads streams
 * --seconds 5` measures two of them for a shorter time. Other options: `--rounds`, `--targets a,b`, `--stored
 * 100000` (messages in the large database of `growth`) and `--write` (updates docs/performance.md and its
 * figures). `npm run bench -- soak …` runs the benchmark in `soak.ts`, beside this file.
 */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { partNames, parts } from "./parts/parts.ts";
import { buildTargets } from "./support/build-targets.ts";
import { describeMachine, pinSelf, stopAll } from "./support/machine.ts";
import type { Options } from "./support/part.ts";
import { printPart, writeReport } from "./support/report.ts";
import type { PartResult } from "./support/result.ts";
import { runPart } from "./support/run-part.ts";
import { Bench, type TargetName, targetNames } from "./support/targets.ts";

const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== basename(import.meta.filename))
  .map((file) => basename(file, ".ts"));

const [first = ""] = process.argv.slice(2);
if (files.includes(first)) {
  console.log(`${first} on ${describeMachine()}\n`);
  process.argv.splice(2, 1);
  await import(join(import.meta.dirname, `${first}.ts`));
} else {
  await compare();
}

async function compare(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: "string", default: "10" },
      rounds: { type: "string", default: "3" },
      targets: { type: "string", default: targetNames.join(",") },
      stored: { type: "string", default: "1000000" },
      write: { type: "boolean", default: false },
      "no-build": { type: "boolean", default: false },
      profile: { type: "string" },
    },
  });
  const unknown = positionals.filter((name) => !partNames.includes(name));
  if (unknown.length > 0) {
    console.log(
      `Unknown: ${unknown.join(", ")}. Parts: ${partNames.join(", ")}. Alone: ${files.join(", ")}.`,
    );
    process.exit(1);
  }
  const options: Options = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    targets: values.targets.split(",") as TargetName[],
    stored: Number(values.stored),
  };
  if (values.profile !== undefined) process.env["BENCH_PROFILE"] = values.profile;
  const chosen = positionals.length > 0 ? positionals : partNames;
  console.log(`${describeMachine()}; ${options.rounds} rounds of ${options.seconds} s\n`);
  if (!values["no-build"]) buildTargets(chosen, options.targets);
  pinSelf();
  // The programs run in their own process groups and would outlive this process.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  process.once("exit", stopAll);
  const bench = await Bench.start();
  const results: PartResult[] = [];
  try {
    for (const name of chosen) {
      const part = parts[name];
      if (part === undefined) continue;
      const result = await runPart(name, part, options, bench);
      printPart(result);
      results.push(result);
    }
  } finally {
    await bench.stop();
  }
  if (values.write) writeReport(results, options);
}
