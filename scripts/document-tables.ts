/**
 * Generates the tables of documents from the code and compares them; `--write` updates them. A table stands
 * between `<!-- table: name -->` and `<!-- end -->`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMetrics } from "#lib/bff/observability/metrics.ts";
import { bffErrorCodes, errorRules, responseOf } from "#lib/chat-api/errors.ts";
import { code, fillTables, type Tables, table } from "../channel/openapi/fill-tables.ts";
import { referenceTables } from "../channel/openapi/reference-tables.ts";
import { type Rule, rules, unchecked } from "../e2e/contract/support/rules.ts";
import { allTests } from "../e2e/contract/verify.ts";
import { root } from "../processes/root.ts";
import { troubleshootingTables } from "./troubleshooting-tables.ts";

const metrics = await createMetrics("/api/chat").expose();
const tests = await allTests();

const documents: Record<string, Tables> = {
  "docs/chat-api.md": referenceTables,
  "docs/chat-server.md": { errors: errorsTable },
  "docs/operations.md": { metrics: metricsTable },
  "docs/troubleshooting.md": troubleshootingTables,
  "docs/verified.md": { rules: rulesTable, "unchecked rules": uncheckedTable },
};

for (const [file, tables] of Object.entries(documents)) {
  const path = join(root, file);
  const page = readFileSync(path, "utf8");
  const written = fillTables(page, tables);
  if (process.argv.includes("--write")) writeFileSync(path, written);
  else if (written !== page) {
    console.error(`${file} differs from the code: run \`node scripts/document-tables.ts --write\`.`);
    process.exitCode = 1;
  }
}
process.exit();

/** The codes that the BFF adds to the contract's. */
function errorsTable(): string {
  const rows = bffErrorCodes.map((name) => {
    const { status, sentence } = responseOf(name);
    const { retry, nextKey } = errorRules[name];
    return [code(name), String(status), sentence, retry === "never" ? "no" : "yes", nextKey];
  });
  return table(["code", "status", "means", "repeated", "next key"], rows);
}

function metricsTable(): string {
  // The package's own metrics differ between platforms.
  const described = metrics.text.matchAll(/^# HELP (chat_bff_\w+) (.*)\n# TYPE \w+ (\w+)$/gm);
  const rows = Array.from(described, ([, name = "", help = "", type = ""]) => [code(name), type, help]);
  return table(["metric", "type", "is"], rows);
}

/** The specification's rules, and the tests that cite each. */
function rulesTable(): string {
  const rows = (Object.keys(rules) as Rule[]).map((rule) => [code(rule), rules[rule], testsOf(rule)]);
  return table(["rule", "says", "tests in `e2e/contract/`"], rows);
}

function testsOf(rule: Rule): string {
  const files = Map.groupBy(
    tests.filter((test) => test.rules.includes(rule)),
    ({ file }) => file.replace(".spec.ts", ""),
  );
  return [...files].map(([file, { length }]) => `${file} (${length})`).join(", ");
}

function uncheckedTable(): string {
  return table(["without a test", "because"], Object.entries(unchecked));
}
