/**
 * Checks the import rules of .dependency-cruiser.mjs, and that every source file was read: without a parser
 * dependency-cruiser passes on an empty tree.
 */
import { existsSync } from "node:fs";
import { cruise, type IViolation } from "dependency-cruiser";
import configuration, { productOnly } from "../.dependency-cruiser.mjs";
import { sourceFiles } from "./source-files.ts";

const folders = ["app", "components", "lib", "channel", "agent", "e2e", "scripts", "testing", "bench"].filter(
  (folder) => existsSync(folder),
);
const rootFiles = ["proxy.ts", "instrumentation.ts"].filter((file) => existsSync(file));

const sources = [...sourceFiles(`{${folders}}/**/*.{ts,tsx}`), ...rootFiles];

const rules = configuration.forbidden ?? [];
/** Rules on indirect imports. */
const reachRules = rules.flatMap((rule) => ("to" in rule && "reachable" in rule.to ? [rule] : []));

/** Rules on whole folders. */
const folderRules = rules.filter((rule) => "scope" in rule);
const moduleRules = rules.filter((rule) => ![...reachRules, ...folderRules].includes(rule));

const roots = [...folders, ...rootFiles];
const noResult = "dependency-cruiser reported text where a result was expected";
function report(found: readonly IViolation[]): void {
  for (const { rule, from, to, cycle } of found)
    console.error(`${rule.name}: ${from} -> ${cycle?.map(({ name }) => name).join(" -> ") ?? to}`);
}

const { output } = await cruise(roots, {
  ...configuration.options,
  ruleSet: { forbidden: moduleRules },
  validate: true,
});
if (typeof output === "string") throw new Error(noResult);

const read = new Set(output.modules.map((module) => module.source));
const unread = sources.filter((file) => !read.has(file));
const edges = output.modules.reduce((sum, module) => sum + module.dependencies.length, 0);
report(output.summary.violations);

// Indirect imports are followed here, because dependency-cruiser also follows `import type`, which does not
// exist at run time.
const importsOf = new Map(
  output.modules.map((module) => [
    module.source,
    module.dependencies
      .filter(({ dependencyTypes }) => !dependencyTypes.includes("type-only"))
      .map(({ resolved }) => resolved),
  ]),
);

/** A shortest import chain from the module to a path that matches. */
function findChain(source: string, target: RegExp): string[] | undefined {
  const chains = [[source]];
  const seen = new Set([source]);
  for (const chain of chains) {
    for (const next of importsOf.get(chain.at(-1) ?? "") ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (target.test(next)) return [...chain, next];
      chains.push([...chain, next]);
    }
  }
  return undefined;
}

const pattern = (path: string | string[] | undefined) => new RegExp([path ?? "(?!)"].flat().join("|"));
let reachViolations = 0;
for (const rule of reachRules) {
  const from = pattern(rule.from.path);
  const notFrom = pattern(rule.from.pathNot);
  for (const source of read) {
    const chain =
      from.test(source) && !notFrom.test(source) ? findChain(source, pattern(rule.to.path)) : undefined;
    if (chain === undefined) continue;
    reachViolations += 1;
    console.error(`${rule.name}: ${chain.join(" -> ")}`);
  }
}

const { output: product } = await cruise(roots, {
  ...configuration.options,
  exclude: productOnly,
  ruleSet: { forbidden: folderRules },
  validate: true,
});
if (typeof product === "string") throw new Error(noResult);
report(product.summary.violations);

if (unread.length > 0) console.error(`not read: ${unread.join(", ")}`);
if (edges === 0) console.error("no import was found in any file: the parser did not run");

const violations = output.summary.error + reachViolations + product.summary.error;
const failed = violations > 0 || unread.length > 0 || edges === 0;
console.log(`imports: ${sources.length} files, ${edges} imports, ${violations} violations`);
process.exit(failed ? 1 : 0);
