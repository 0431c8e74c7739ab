import { expect, test } from "vitest";
import type { AgentEvent } from "../channel/agents/agent.ts";
import { createShopAgent } from "./shop-agent.ts";
import { aTurn, collectReply } from "./testing.ts";

const agent = createShopAgent({ shopOrigin: "https://shop.example", pace: 0 });

test("answers about delivery from the right section, with its address", async () => {
  const reply = await collectReply(agent, aTurn("Do you deliver to Ireland?"));
  expect(reply.text).toMatch(/^Yes, we deliver to every county of Ireland\./);
  expect(reply.citations[0]).toMatchObject({
    title: "Delivery: Ireland",
    url: "https://shop.example/help/delivery#ireland",
  });
});

test("shows product cards with absolute addresses", async () => {
  const reply = await collectReply(agent, aTurn("which helmets do you have?"));
  expect(reply.products.map((product) => product.title)).toEqual([
    "Kestrel helmet",
    "Merlin helmet",
    "Hobby helmet",
  ]);
  expect(reply.products[0]?.productUrl).toBe("https://shop.example/products/kestrel-helmet");
});

test("admits what it does not know and offers the team", async () => {
  const reply = await collectReply(agent, aTurn("Who won the world cup in 1966?"));
  expect(reply.text).toMatch(/^I don't know\./);
  expect(reply).toMatchObject({ citations: [], products: [] });
  expect(reply.offer).not.toBeNull();
});

test("deltas arrive at the given pace and join to the text", async () => {
  const waits: number[] = [];
  const paced = createShopAgent({
    shopOrigin: "https://shop.example",
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

test("stops when aborted", async () => {
  const controller = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of agent.reply(aTurn("Do you deliver to Ireland?"), controller.signal)) {
    events.push(event);
    controller.abort();
  }
  expect(events).toHaveLength(1);
});
