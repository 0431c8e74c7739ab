/**
 * Checks the import rules of .dependency-cruiser.mjs, and that the check read the whole tree: a parser that is
 * missing makes dependency-cruiser pass on nothing.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cruise } from "dependency-cruiser";
import configuration from "../.dependency-cruiser.mjs";

const folders = ["app", "components", "lib", "channel", "e2e", "scripts", "bench"].filter((folder) =>
  existsSync(folder),
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
/** Rules on what a module reaches through others. */
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

// What a module reaches is followed here: dependency-cruiser's own search also follows `import type`, which is gone
// before anything runs.
const importsOf = new Map(
  output.modules.map((module) => [
    module.source,
    module.dependencies
      .filter(({ dependencyTypes }) => !dependencyTypes.includes("type-only"))
      .map(({ resolved }) => resolved),
  ]),
);

/** The first chain of imports from the module to one whose path matches. */
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
if (unread.length > 0) console.error(`not read: ${unread.join(", ")}`);
if (edges === 0) console.error("no import was found in any file: the parser did not run");

const violations = output.summary.error + reachViolations;
const failed = violations > 0 || unread.length > 0 || edges === 0;
console.log(`imports: ${sources.length} files, ${edges} imports, ${violations} violations`);
process.exit(failed ? 1 : 0);
