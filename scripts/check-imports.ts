/**
 * Checks the import rules of .dependency-cruiser.mjs, that folders do not import each other in a cycle, and
 * that every source file was read: without a parser dependency-cruiser passes on an empty tree.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cruise } from "dependency-cruiser";
import configuration from "../.dependency-cruiser.mjs";
import { findFolderCycles } from "./folder-cycles.ts";

const folders = ["app", "components", "lib", "channel", "agent", "e2e", "scripts", "testing", "bench"].filter(
  (folder) => existsSync(folder),
);
const rootFiles = ["proxy.ts", "instrumentation.ts"].filter((file) => existsSync(file));

const sources = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...folders, ...rootFiles],
  {
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && existsSync(file));

const rules = configuration.forbidden ?? [];
/** Rules on indirect imports. */
const reachRules = rules.flatMap((rule) => ("to" in rule && "reachable" in rule.to ? [rule] : []));

const { output } = await cruise([...folders, ...rootFiles], {
  ...configuration.options,
  ruleSet: { forbidden: rules.filter((rule) => !reachRules.some((reachRule) => reachRule === rule)) },
  validate: true,
});
if (typeof output === "string")
  throw new Error("dependency-cruiser reported text where a result was expected");

const read = new Set(output.modules.map((module) => module.source));
const unread = sources.filter((file) => !read.has(file));
const edges = output.modules.reduce((sum, module) => sum + module.dependencies.length, 0);
for (const violation of output.summary.violations) {
  console.error(`${violation.rule.name}: ${violation.from} -> ${violation.to}`);
}

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

/** Tests and their support may import upward, because product code does not import them. */
const isTest = (source: string) => /\.test\.tsx?$|\/testing\//.test(source);
const ownImports = output.modules
  .filter(({ source }) => read.has(source) && !isTest(source))
  .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })))
  .filter(({ to }) => sources.includes(to));
const cycles = findFolderCycles(ownImports);
for (const cycle of cycles) console.error(`no-folder-cycles: ${cycle}`);

if (unread.length > 0) console.error(`not read: ${unread.join(", ")}`);
if (edges === 0) console.error("no import was found in any file: the parser did not run");

const violations = output.summary.error + reachViolations + cycles.length;
const failed = violations > 0 || unread.length > 0 || edges === 0;
console.log(`imports: ${sources.length} files, ${edges} imports, ${violations} violations`);
process.exit(failed ? 1 : 0);
