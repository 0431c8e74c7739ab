/**
 * Generates the tables of documents from the code and compares them; `--write` updates them. A table stands
 * between `<!-- table: name -->` and `<!-- end -->`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMetrics } from "#lib/bff/observability/metrics.ts";
import { bffErrorCodes } from "#lib/chat-api/errors.ts";
import { type Rule, rules, unchecked } from "../../e2e/contract/support/rules.ts";
import { allTests } from "../../e2e/contract/verify.ts";
import { root } from "../../processes/root.ts";
import { code, type Tables, table } from "./markdown.ts";
import { publicSurface } from "./public-surface.ts";
import { errorsTable, referenceTables } from "./reference.ts";
import { troubleshootingTables } from "./troubleshooting.ts";

const block = /(<!-- table: ([a-z ]+) -->\n).*?(<!-- end -->)/gs;

const metrics = await createMetrics("/api/chat").expose();
const tests = await allTests();

const documents: Record<string, Tables> = {
  "docs/chat-api.md": referenceTables,
  // The codes that the BFF adds to the contract's.
  "docs/chat-server.md": { errors: () => errorsTable(bffErrorCodes) },
  "docs/operations.md": { metrics: metricsTable },
  "docs/public-surface.md": { "public surface": publicSurface },
  "docs/troubleshooting.md": troubleshootingTables,
  "docs/verified.md": { rules: rulesTable, "unchecked rules": uncheckedTable },
};

for (const [file, tables] of Object.entries(documents)) {
  const path = join(root, file);
  const page = readFileSync(path, "utf8");
  const written = fillTables(page, tables);
  if (process.argv.includes("--write")) writeFileSync(path, written);
  else if (written !== page) {
    process.stderr.write(`${file} differs from the code: run \`node docs/tables/write.ts --write\`.\n`);
    process.exitCode = 1;
  }
}
process.exit();

/** @throws Error if the page lacks a table, or the tables one of the page's */
function fillTables(page: string, tables: Tables): string {
  const missing = new Set(Object.keys(tables));
  const filled = page.replace(block, (_, begin: string, name: string, end: string) => {
    const make = tables[name];
    if (make === undefined) throw new Error(`There is no table "${name}"`);
    missing.delete(name);
    return `${begin}\n${make()}\n\n${end}`;
  });
  if (missing.size > 0) throw new Error(`The page has no place for ${[...missing].join(", ")}`);
  return filled;
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
