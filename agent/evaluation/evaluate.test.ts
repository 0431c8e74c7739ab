import { expect, test } from "vitest";
import type { Agent } from "../../channel/agents/agent.ts";
import { openShop } from "../knowledge/shop.ts";
import { createShopAgent } from "../shop-agent.ts";
import { evaluate, readCases } from "./evaluate.ts";

const shop = openShop("https://shop.example");
const cases = await readCases(new URL("labelled.json", import.meta.url));

test("answers 95 % of the labelled sentences as expected, 90 % in each language", async () => {
  const agent = createShopAgent({ shop, pace: 0 });
  const { total, misses, byGroup } = await evaluate(agent, cases, shop.languageOf);
  expect(total).toBeGreaterThanOrEqual(150);
  const missed = misses.map(
    ({ case: { dialogue }, faults }) => `${JSON.stringify(dialogue)}: ${faults.join("; ")}`,
  );
  expect((total - misses.length) / total, missed.join("\n")).toBeGreaterThanOrEqual(0.95);
  for (const language of ["en", "de", "fr", "ar", "ja"]) {
    const { total: asked, right } = byGroup.get(language) ?? { total: 0, right: 0 };
    expect(right / asked, language).toBeGreaterThanOrEqual(0.9);
  }
}, 60_000);

test("an agent with one answer for everything fails the evaluation", async () => {
  const parrot: Agent = {
    async *reply() {
      yield { type: "text", text: "I don't know." };
    },
  };
  const { total, misses } = await evaluate(parrot, cases, shop.languageOf);
  expect(misses.length / total).toBeGreaterThan(0.9);
});
