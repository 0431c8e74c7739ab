/**
 * Prints what the contract tests checked as a Markdown table: a row for each rule, which is a file of tests,
 * and a column for each operation, which counts the tests that passed and called it. `VERIFY_TABLE` names a
 * file that receives the table.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Reporter, TestCase } from "@playwright/test/reporter";
import { operationNames } from "./specification.ts";

type Outcome = ReturnType<TestCase["outcome"]>;

export default class CoverageReporter implements Reporter {
  readonly #tests = new Set<TestCase>();

  onTestEnd(test: TestCase): void {
    this.#tests.add(test);
  }

  onEnd(): void {
    const text = summary([...this.#tests]);
    process.stdout.write(`\n${text}\n`);
    const file = process.env["VERIFY_TABLE"];
    if (file !== undefined) writeFileSync(file, placed(text, file));
  }
}

function placed(text: string, file: string): string {
  const page = existsSync(file) ? readFileSync(file, "utf8") : "";
  const between = /(?<=<!-- verified -->\n).*?(?=<!-- end -->)/s;
  return between.test(page) ? page.replace(between, () => `\n${text}\n`) : text;
}

function summary(tests: readonly TestCase[]): string {
  const rules = Map.groupBy(tests, (test) => basename(test.location.file, ".spec.ts").replaceAll("-", " "));
  const rows = [...rules].map(([rule, all]) => [
    rule,
    ...operationNames.map((name) =>
      number(all.filter((test) => hasPassed(test) && calls(test, name)).length),
    ),
    ...outcomes(all).map(number),
  ]);
  const [passed, skipped, failed] = outcomes(tests);
  const head = ["rule", ...operationNames.map((name) => `\`${name}\``), "passed", "skipped", "failed"];
  const table = [head, head.map((_, index) => (index === 0 ? "---" : "--:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
  const reasons = Map.groupBy(
    tests.filter((test) => test.outcome() === "skipped"),
    (test) => test.annotations.find(({ type }) => type === "skip")?.description ?? "the run ended early",
  );
  return [
    `${passed} passed, ${skipped} skipped, ${failed} failed.\n\n${table}\n`,
    ...[...reasons].map(([reason, { length }]) => `- ${length} skipped: ${reason}\n`),
    ...tests.filter((test) => test.outcome() === "unexpected").map(({ title }) => `- failed: ${title}\n`),
  ].join("\n");
}

const outcomes = (tests: readonly TestCase[]) =>
  (["expected", "skipped", "unexpected"] satisfies Outcome[]).map(
    (outcome) => tests.filter((test) => test.outcome() === outcome).length,
  );
const hasPassed = (test: TestCase) => test.outcome() === "expected";
const calls = (test: TestCase, operation: string) =>
  test.annotations.some(({ type, description }) => type === "calls" && description === operation);
const number = (count: number) => (count === 0 ? "" : String(count));
