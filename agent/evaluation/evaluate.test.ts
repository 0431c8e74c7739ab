import { expect, test } from "vitest";
import type { Agent } from "../../channel/agents/agent.ts";
import { openShop } from "../knowledge/shop.ts";
import { createShopAgent } from "../testing/turns.ts";
import { evaluate, readCases } from "./evaluate.ts";

const shop = openShop("https://shop.example");
const cases = await readCases(new URL("labelled.json", import.meta.url));

test("answers 95 % of the labelled sentences as expected, 90 % in each language", async () => {
  const results = await evaluate(createShopAgent({ shop, pace: 0 }), cases, shop);
  expect(results.length).toBeGreaterThanOrEqual(150);
  const rightOf = (some: typeof results) =>
    some.filter(({ faults }) => faults.length === 0).length / some.length;
  const missed = results.flatMap(({ case: { dialogue }, faults }) =>
    faults.length > 0 ? [`${JSON.stringify(dialogue)}: ${faults.join("; ")}`] : [],
  );
  expect(rightOf(results), missed.join("\n")).toBeGreaterThanOrEqual(0.95);
  for (const [language, some] of Map.groupBy(results, (each) => each.case.language))
    expect(rightOf(some), language).toBeGreaterThanOrEqual(0.9);
}, 60_000);

test("an agent with one answer for everything fails the evaluation", async () => {
  const parrot: Agent = {
    async *reply() {
      yield { type: "text", text: "I don't know." };
    },
  };
  const results = await evaluate(parrot, cases, shop);
  expect(results.filter(({ faults }) => faults.length > 0).length / results.length).toBeGreaterThan(0.9);
});
