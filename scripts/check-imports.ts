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

const { output } = await cruise([...folders, ...rootFiles], {
  ...configuration.options,
  ruleSet: { forbidden: configuration.forbidden ?? [] },
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
if (unread.length > 0) console.error(`not read: ${unread.join(", ")}`);
if (edges === 0) console.error("no import was found in any file: the parser did not run");

const failed = output.summary.error > 0 || unread.length > 0 || edges === 0;
console.log(`imports: ${sources.length} files, ${edges} imports, ${output.summary.error} violations`);
process.exit(failed ? 1 : 0);
