import { expect, test } from "vitest";
import type { AgentEvent } from "./agent.ts";
import { createShopAgent } from "./shop-agent.ts";
import { aTurn, collectReply, shopDir } from "./testing.ts";

const agent = await createShopAgent({ shopDir, shopOrigin: "https://shop.example", pace: 0 });

test("a question about delivery is answered from the section that is about it, with its address", async () => {
  const reply = await collectReply(agent, aTurn("Do you deliver to Ireland?"));
  expect(reply.text).toMatch(/^Yes, we deliver to every county of Ireland\./);
  expect(reply.citations[0]).toMatchObject({
    title: "Delivery: Ireland",
    url: "https://shop.example/help/delivery#ireland",
  });
});

test("a question for a kind of product shows its cards with full addresses", async () => {
  const reply = await collectReply(agent, aTurn("which helmets do you have?"));
  expect(reply.products.map((product) => product.title)).toEqual([
    "Kestrel helmet",
    "Merlin helmet",
    "Hobby helmet",
  ]);
  expect(reply.products[0]?.productUrl).toBe("https://shop.example/products/kestrel-helmet");
});

test("what the shop does not know is not guessed: the agent says so and offers the team", async () => {
  const reply = await collectReply(agent, aTurn("Who won the world cup in 1966?"));
  expect(reply.text).toMatch(/^I don't know\./);
  expect(reply).toMatchObject({ citations: [], products: [] });
  expect(reply.offer).not.toBeNull();
});

test("deltas come at the given pace and together are the text", async () => {
  const waits: number[] = [];
  const paced = await createShopAgent({
    shopDir,
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

test("an aborted reply stops", async () => {
  const controller = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of agent.reply(aTurn("Do you deliver to Ireland?"), controller.signal)) {
    events.push(event);
    controller.abort();
  }
  expect(events).toHaveLength(1);
});
