/**
 * Runs the simulation with each mutant of `mutants.ts`, or those named, until it finds the fault, and prints
 * the table of docs/simulation.md: `node e2e/simulation/run-mutants.ts [NAME...]`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { mutants } from "./mutants.ts";

const steps = 20_000;
/** Enough for two cores. */
const atOnce = 2;
/** A mutant that repeats without end, and so without a step, is found. */
const longest = 300_000;
const given = process.argv.slice(2);
const names = given.length > 0 ? given : Object.keys(mutants);
const rows = new Map<string, { invariant: string; steps: string } | null>();

async function run(name: string): Promise<void> {
  const options = ["--mutant", name, "--seed", "1", "--steps", String(steps)];
  if (mutants[name]?.isOfChannel) options.push("--channel", "real");
  const program = spawn(process.execPath, [`${import.meta.dirname}/run-simulation.ts`, ...options], {
    timeout: longest,
  });
  const [output, errors] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, "close"),
  ]);
  const found = /^episode \d+ after (\d+) steps: ([^:\n]+)/m.exec(output);
  if (program.signalCode !== null) {
    rows.set(name, { steps: "–", invariant: "each episode ends" });
    console.error(`${name}: does not end`);
    return;
  }
  if (found === null && !output.includes(", history ")) throw new Error(`${name}: ${output}${errors}`);
  rows.set(name, found && { steps: found[1] ?? "", invariant: found[2] ?? "" });
  console.error(`${name}: ${found?.[0] ?? "not found"}`);
}

const waiting = names.values();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (const name of waiting) await run(name);
  }),
);
console.log("| mutant | seen by | steps |\n|---|---|---|");
for (const name of names) {
  const row = rows.get(name);
  console.log(`| ${name} | ${row?.invariant ?? "nothing"} | ${row?.steps ?? "–"} |`);
}
const missed = names.filter((name) => !rows.get(name));
if (missed.length > 0) console.error(`not found within ${steps} steps: ${missed.join("; ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;
