/** The results of a run: for people as Markdown, for programs as JSON. */
import { type Rule, rules } from "./support/rules.ts";
import { codes } from "./support/specification.ts";
import type { Result } from "./verify.ts";

interface Counts {
  passed: number;
  skipped: number;
  failed: number;
}

export function countsOf(results: readonly Result[]): Counts {
  const count = (outcome: Result["outcome"]) => results.filter((each) => each.outcome === outcome).length;
  return { passed: count("passed"), skipped: count("skipped"), failed: count("failed") };
}

/** A failed test counts for the rules that it has found broken, a skipped or passed one for all it cites. */
const concerns = ({ outcome, rules: cited, broken }: Result, rule: Rule) =>
  (outcome === "failed" ? broken : cited).includes(rule);

export function reportOf(results: readonly Result[]) {
  const names = Object.keys(rules) as Rule[];
  return {
    ...countsOf(results),
    rules: names.map((rule) => ({
      rule,
      says: rules[rule],
      ...countsOf(results.filter((result) => concerns(result, rule))),
    })),
    codes: codes.map((code) => ({
      code,
      tests: results.filter((result) => result.outcome === "passed" && result.codes.includes(code)).length,
    })),
    failures: results.flatMap(({ outcome, title, file, broken, reason }) =>
      outcome === "failed" ? { title, file, broken, reason } : [],
    ),
    skippedBecause: Object.fromEntries(
      [...Map.groupBy(results, ({ outcome, reason }) => (outcome === "skipped" ? reason : ""))]
        .filter(([reason]) => reason !== "")
        .map(([reason, { length }]) => [reason, length]),
    ),
  };
}

export type Report = ReturnType<typeof reportOf>;

const number = (count: number) => (count === 0 ? "" : String(count));

export const sentenceOf = ({ passed, skipped, failed }: Counts) =>
  `${passed} passed, ${skipped} skipped, ${failed} failed`;

export function textOf(report: Report): string {
  const rows = report.rules.map(({ rule, says, passed, skipped, failed }) => [
    `\`${rule}\``,
    says,
    ...[passed, skipped, failed].map(number),
  ]);
  const head = ["rule", "says", "passed", "skipped", "failed"];
  const table = [head, head.map((_, index) => (index < 2 ? "---" : "--:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
  const unseen = report.codes.filter(({ tests }) => tests === 0).map(({ code }) => code);
  return [
    `${sentenceOf(report)}.`,
    table,
    ...Object.entries(report.skippedBecause).map(([reason, count]) => `- ${count} skipped: ${reason}`),
    ...(unseen.length === 0 ? [] : [`- never seen: ${unseen.join(", ")}`]),
    ...report.failures.map(
      ({ title, broken, reason }) => `- failed (${broken.join(", ")}): ${title}\n  ${reason.split("\n")[0]}`,
    ),
  ].join("\n\n");
}
