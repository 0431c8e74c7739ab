/** The tables of docs/verified.md: the specification's rules, and the tests that cite each. */
import { code, table } from "../../channel/openapi/fill-tables.ts";
import { type Rule, rules, unchecked } from "../../e2e/contract/support/rules.ts";
import { allTests } from "../../e2e/contract/verify.ts";

const tests = await allTests();

function testsOf(rule: Rule): string {
  const files = Map.groupBy(
    tests.filter((test) => test.rules.includes(rule)),
    ({ file }) => file.replace(".spec.ts", ""),
  );
  return [...files].map(([file, { length }]) => `${file} (${length})`).join(", ");
}

const names = Object.keys(rules) as Rule[];
const openRows = Object.entries(unchecked);

export const rulesTables = {
  rules: () =>
    table(
      ["rule", "says", "tests in `e2e/contract/`"],
      names.map((rule) => [code(rule), rules[rule], testsOf(rule)]),
    ),
  "unchecked rules": () => table(["without a test", "because"], openRows),
};
