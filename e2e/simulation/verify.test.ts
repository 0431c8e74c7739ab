/** Whether the contract tests find faults, before the model as a foreign Chat API. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { countsOf, reportOf } from "../contract/report.ts";
import { type Rule, rules } from "../contract/support/rules.ts";
import { codes } from "../contract/support/specification.ts";
import { allTests, type Options, type Result, verify } from "../contract/verify.ts";
import { faults } from "./contract-faults.ts";

const program = new URL("./serve-model.ts", import.meta.url).pathname;

async function verifyModel(args: readonly string[], options: Options = {}): Promise<Result[]> {
  const served = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface(served.stdout), "line");
    const { url, channelKey, chatKey } = JSON.parse(line);
    const base = new URL(url);
    return await verify({ base, channelKey, chatKey, live: true, teamKey: undefined }, options);
  } finally {
    served.kill();
  }
}

const failuresIn = (results: readonly Result[]) =>
  results.filter(({ outcome }) => outcome === "failed").map(({ title, reason }) => `${title}: ${reason}`);

test("finds no fault in a Chat API that was written from the specification alone", async () => {
  const results = await verifyModel([]);
  expect(failuresIn(results)).toEqual([]);
  expect(countsOf(results).passed).toBeGreaterThan(300);
  const broken = reportOf(results).rules.filter(({ failed }) => failed > 0);
  expect(broken).toEqual([]);
});

// Sends 80 MiB, and finds none of these faults.
const isChosen = (title: string) => !title.includes("80 MiB");

test.each(Object.entries(faults))("finds the fault that %s", async (name, { breaks }) => {
  const results = await verifyModel(["--fault", name], { isChosen });
  const broken = results.flatMap((result) => result.broken);
  expect([...new Set(broken)], failuresIn(results).join("\n")).toContain(breaks);
});

test("cites each rule of the specification in a test, and no test without a rule", async () => {
  const tests = await allTests();
  const cited = new Set(tests.flatMap((each) => each.rules));
  expect((Object.keys(rules) as Rule[]).filter((rule) => !cited.has(rule))).toEqual([]);
  expect(tests.filter((each) => each.rules.length === 0)).toEqual([]);
});

test("expects each code of the specification in a test", () => {
  const specs = globSync(`${import.meta.dirname}/../contract/*.spec.ts`);
  const text = specs.map((file) => readFileSync(file, "utf8")).join("");
  expect(codes.filter((code) => !text.includes(`"${code}"`))).toEqual([]);
});
