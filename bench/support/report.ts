/** Summarises the rounds in a table: ratios to the baselines, and medians with their spread. */
import type { Measured } from "./part.ts";
import type { PartResult } from "./run-part.ts";
import { median } from "./statistics.ts";

function round(value: number): string {
  return Number.isFinite(value) ? value.toLocaleString("en", { maximumSignificantDigits: 3 }) : "–";
}

/** The median of the ratios to the baseline in the same round. */
function ratio(rounds: readonly Measured[], base: readonly Measured[], key: string): string {
  return `${round(median(rounds.map((measured, at) => (measured[key] ?? NaN) / (base[at]?.[key] ?? NaN))))} ×`;
}

function medianOf(rounds: readonly Measured[], key: string): string {
  const values = rounds.map((measured) => measured[key] ?? NaN);
  return `${round(median(values))} (${round(Math.min(...values))}–${round(Math.max(...values))})`;
}

/** The report in Markdown. */
export function printPart({ part, rows, loads }: PartResult): void {
  const { title, figures, titles = {}, baselines = [] } = part;
  const bases = baselines.flatMap((name) => {
    const base = rows.get(name);
    return base === undefined ? [] : [[titles[name] ?? name, base] as const];
  });
  const head = [
    ...figures.flatMap((figure) => bases.map(([name]) => `${figure.title} / ${name}`)),
    ...figures.map((figure) => (figure.unit === "" ? figure.title : `${figure.title}, ${figure.unit}`)),
  ];
  const lines = Array.from(rows, ([subject, rounds]) => [
    titles[subject] ?? subject,
    ...figures.flatMap(({ key }) => bases.map(([, base]) => ratio(rounds, base, key))),
    ...figures.map(({ key }) => medianOf(rounds, key)),
  ]);
  const table = [["", ...head], ["", ...head].map(() => "---"), ...lines];
  console.log(`\n## ${title}\n\n${table.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
  console.log(`Load average ${round(Math.min(...loads))}–${round(Math.max(...loads))}.\n`);
}
