/**
 * Summarises the rounds as ratios to the baselines and medians with their spread. Prints the tables, and
 * writes them to docs/performance.md and the figures to docs/performance.json.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/root.ts";
import { describeMachine } from "./machine.ts";
import type { Options } from "./part.ts";
import { type PartResult, type Row, round, valuesOf } from "./result.ts";
import { median } from "./statistics.ts";

/** The median of the ratios to the baseline in the same round. */
export function ratioTo(result: PartResult, row: Row, baseline: string, key: string): number {
  const base = result.rows.find(({ subject }) => subject === baseline);
  if (base === undefined) return Number.NaN;
  const theirs = valuesOf(base, key);
  return median(valuesOf(row, key).map((value, index) => value / (theirs[index] ?? Number.NaN)));
}

function markdown(cells: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = cells;
  return [head, head.map(() => "---"), ...rest].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

export function tables(result: PartResult): string {
  const { figures, titles, rows } = result;
  const baselines = result.baselines.filter((name) => rows.some(({ subject }) => subject === name));
  const heads = figures.map(({ title, unit }) => (unit === "" ? title : `${title}, ${unit}`));
  const titleOf = (subject: string) => titles[subject] ?? subject;
  const lines = rows.map((row) => {
    const ratios = figures.flatMap(({ key }) =>
      baselines.map((baseline) => `${round(ratioTo(result, row, baseline, key))} ×`),
    );
    const absolute = figures.map(({ key }) => {
      const values = valuesOf(row, key);
      return `${round(median(values))} (${round(Math.min(...values))}–${round(Math.max(...values))})`;
    });
    return [titleOf(row.subject), ...ratios, ...absolute];
  });
  const ratioHeads = figures.flatMap(({ title }) =>
    baselines.map((baseline) => `${title} / ${titleOf(baseline).replaceAll("*", "")}`),
  );
  const [least, most] = [Math.min(...result.loads), Math.max(...result.loads)];
  return `${markdown([["", ...ratioHeads, ...heads], ...lines])}\n\nLoad average ${round(least)}–${round(most)}.`;
}

export function printPart(result: PartResult): void {
  console.log(`\n## ${result.title}\n\n${tables(result)}\n`);
}

const folder = join(root, "docs");
const markers = ["<!-- npm run bench -->", "<!-- end -->"] as const;

/** Replaces the figures of the parts that were run, and keeps those of the others. */
export function writeReport(result: PartResult, options: Options): void {
  const file = join(folder, "performance.json");
  const results: Record<string, object> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const measured = { machine: describeMachine(), date: new Date().toISOString().slice(0, 10), ...options };
  results[result.name] = { ...measured, ...result };
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  const all = Object.values(results) as (PartResult & typeof measured)[];
  const sections = all.map(
    (part) =>
      `### ${part.title}\n\n${tables(part)}\n` +
      `${part.rounds} rounds of ${part.seconds} s on ${part.date}: ${part.machine}.\n`,
  );
  const page = join(folder, "performance.md");
  const [before = "", rest = ""] = readFileSync(page, "utf8").split(markers[0]);
  const [, after = ""] = rest.split(markers[1]);
  writeFileSync(page, `${before}${markers[0]}\n\n${sections.join("\n")}\n${markers[1]}${after}`);
}
