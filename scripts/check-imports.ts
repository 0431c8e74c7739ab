/** Checks the import rules of .dependency-cruiser.mjs, those between folders without the tests. */
import { existsSync } from "node:fs";
import { cruise } from "dependency-cruiser";
import configuration, { productOnly } from "../.dependency-cruiser.mjs";

const roots = [
  ..."app components lib channel agent docs e2e processes scripts testing bench".split(" "),
  ..."proxy.ts instrumentation.ts".split(" "),
].filter((path) => existsSync(path));

const rules = configuration.forbidden ?? [];
const folderRules = rules.filter((rule) => "scope" in rule);
const moduleRules = rules.filter((rule) => !("scope" in rule));

let failed = false;
for (const [forbidden, options] of [
  [moduleRules, {}],
  [folderRules, { exclude: productOnly }],
] as const) {
  const ruleSet = { forbidden: [...forbidden] };
  const { output } = await cruise(roots, { ...configuration.options, ...options, ruleSet, validate: true });
  if (typeof output === "string") throw new Error(output);
  const { violations, totalCruised, totalDependenciesCruised = 0 } = output.summary;
  for (const { rule, from, to, cycle } of violations)
    console.error(`${rule.name}: ${from} -> ${cycle?.map(({ name }) => name).join(" -> ") ?? to}`);
  console.log(
    `imports: ${totalCruised} files, ${totalDependenciesCruised} imports, ${violations.length} violations`,
  );
  // Without a parser, dependency-cruiser passes on an empty tree.
  failed ||= violations.length > 0 || totalDependenciesCruised === 0;
}
process.exit(failed ? 1 : 0);
