/**
 * `npm run test:faults`: kills programs and cuts connections while customers chat, then compares what they
 * received with what is stored (docs/promises.md). Without options: a short run of each layout (`many`
 * needs PostgreSQL and Redis). The options:
 *
 *   --layout one|many --minutes N [--seed S] [--bff plain|next|direct] [--customers N]
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findOrInstallPrograms } from "../../testing/services/find-programs.ts";
import { checks, type Violation } from "./harness/checker.ts";
import { type BffForm, bffForms, type LayoutName } from "./harness/layout.ts";
import { run } from "./harness/run.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    layout: { type: "string" },
    seed: { type: "string" },
    bff: { type: "string", default: "plain" },
    customers: { type: "string", default: "36" },
  },
});
const { layout: wanted } = values;
if (wanted !== undefined && wanted !== "one" && wanted !== "many") throw new Error("--layout is one or many");
const bff = formNamed(values.bff);

/** The length of a run of about a minute. */
const shortMinutes = 0.12;
/** The exit code of a run with violations. */
const brokenStatus = 3;
const seed = Number(values.seed ?? "1");
const minutes = Number(values.minutes ?? shortMinutes);

let violations = 0;
if (wanted !== undefined) await runFaults(wanted);
else {
  await runFaults("one");
  if (canRunMany()) await runFaults("many");
}
process.exit(violations > 0 ? brokenStatus : 0);

function formNamed(name: string): BffForm {
  const found = bffForms.find((form) => form === name);
  if (found === undefined) throw new Error(`--bff is one of ${bffForms.join(", ")}`);
  return found;
}

async function runFaults(layout: LayoutName): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `shop-chat-faults-${layout}-${seed}-`));
  const report = await run({
    layout,
    bff,
    seed,
    milliseconds: minutes * 60_000,
    folder,
    customers: Number(values.customers),
    onProgress: (line) => console.log(`${layout}: ${line}`),
  });
  const { faults, writes, outcomes } = report;
  writeFileSync(join(folder, "report.json"), JSON.stringify(report, null, 1));
  console.log(`\n${layout}, seed ${seed}: ${total(faults)} faults\n${list(faults)}`);
  console.log(`${total(writes)} writes\n${list(writes)}\n${list(outcomes)}`);
  print(report.violations, folder);
}

function canRunMany(): boolean {
  try {
    findOrInstallPrograms();
    return true;
  } catch (error) {
    console.log(`Only the layout \`one\`: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function list(counts: Record<string, number>): string {
  return Object.entries(counts)
    .toSorted()
    .map(([name, count]) => `  ${String(count).padStart(6)}  ${name}`)
    .join("\n");
}

function print(found: readonly Violation[], folder: string): void {
  violations += found.length;
  for (const [name, promise] of Object.entries(checks)) {
    const broken = found.filter(({ check }) => check === name);
    console.log(`${broken.length === 0 ? "kept  " : "BROKEN"}  ${promise}`);
    for (const { what } of broken.slice(0, 20)) console.log(`          ${what}`);
  }
  console.log(`${found.length} violations. The history is in ${folder}`);
}
