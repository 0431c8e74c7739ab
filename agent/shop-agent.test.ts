import { expect, test } from "vitest";
import type { AgentEvent } from "../channel/agents/agent.ts";
import { openShop } from "./knowledge/shop.ts";
import { aTurn, collectReply, createShopAgent } from "./testing/turns.ts";

const shop = openShop("https://shop.example");
const agent = createShopAgent({ shop, pace: 0 });

test("gives products and sources absolute URLs", async () => {
  const { products } = await collectReply(agent, aTurn("which helmets do you have?"));
  expect(products[0]?.productUrl).toBe("https://shop.example/products/kestrel-helmet");
  const { citations } = await collectReply(agent, aTurn("Do you deliver to Ireland?"));
  expect(citations[0]?.url).toBe("https://shop.example/help/delivery#ireland");
});

test("sends deltas at the given pace that join to the text", async () => {
  const waits: number[] = [];
  const paced = createShopAgent({
    shop,
    pace: 25,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
  });
  const deltas: string[] = [];
  for await (const event of paced.reply(aTurn("Do you deliver to Ireland?"), new AbortController().signal)) {
    if (event.type === "text") deltas.push(event.text);
  }
  expect(deltas.length).toBeGreaterThan(5);
  expect(waits).toEqual(Array.from({ length: deltas.length - 1 }, () => 25));
  expect(deltas.join("")).toBe((await collectReply(agent, aTurn("Do you deliver to Ireland?"))).text);
});

test("stops sending deltas when the signal aborts", async () => {
  const controller = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of agent.reply(aTurn("Do you deliver to Ireland?"), controller.signal)) {
    events.push(event);
    controller.abort();
  }
  expect(events).toHaveLength(1);
});
