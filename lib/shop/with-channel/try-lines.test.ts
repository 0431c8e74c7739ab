/** The promises of `/try` for each line, asked of the real agent over the Chat API. */
import { expect, inject, test } from "vitest";
import { channelClient } from "../../../testing/channel-client.ts";
import { testKeys } from "../../../testing/test-keys.ts";
import { userIdOfCustomer } from "../../bff/session/customer.ts";
import type { Message } from "../../chat-client/public.ts";
import groups from "../try-lines.json" with { type: "json" };

const client = channelClient({ ...testKeys, ...inject("channel") });

/** The lengths of a reply's lists, and the number of its form's fields. */
function partsOf({ citations, products, orders, choices, collection, handoffOffer }: Message) {
  return {
    citations: citations.length,
    products: products.length,
    orders: orders.length,
    choices: choices.length,
    fields: collection?.request?.fields.length ?? 0,
    offers: handoffOffer === null ? 0 : 1,
  };
}

const customers: Record<string, string> = {
  "Where is my order TT-100482?": "maya-okafor",
  "How is my repair W-2231?": "maya-okafor",
  "Can I collect C-7710?": "lukas-brandt",
  "Show me all my orders": "kenji-mori",
};

const promises: Record<string, Partial<ReturnType<typeof partsOf>>> = {
  "Tell me about returns": { citations: 3 },
  "Everything about returns": { citations: 20 },
  "What is the capital of Mongolia?": { citations: 0, offers: 1 },
  "Which helmets do you have?": { products: 3 },
  "Gravel bikes": { products: 1 },
  "Bikes and parts": { products: 3 },
  "Is the Mule in stock?": { products: 1 },
  "Show me gloves": { products: 2 },
  "Show me lights in yen": { products: 1 },
  "Do you have a multitool in dinar?": { products: 1 },
  "Show me bikepacking bags": { products: 2 },
  "A waterproof bag for my handlebar": { products: 1 },
  "Do you have an enamel mug?": { products: 1 },
  "I want to buy a gift card": { products: 1 },
  "I would like some free stickers": { products: 1 },
  "I need a jacket": { products: 2 },
  "Do you have a red bike?": { products: 2 },
  "Do you sell canoes?": { products: 0, choices: 4 },
  "Where is my order?": { fields: 2 },
  "Where is my order TT-100482?": { orders: 1 },
  "How is my repair W-2231?": { orders: 1 },
  "Can I collect C-7710?": { orders: 1 },
  "Show me all my orders": { orders: 10 },
  "I would like to book a service": { fields: 4 },
  "I want to return something": { fields: 3 },
  "I want to give feedback": { fields: 3 },
  "I would like a bike fitting": { fields: 20 },
  "I would like to speak to someone": { offers: 1 },
  "This is the third time that you get it wrong!": { offers: 1 },
  "say nothing": { citations: 0, products: 0, fields: 0 },
};

/** Their replies take a minute, or are promised no card. */
const without = ["long answer", "slow answer", "think for a minute", "ask me"];

const lines = groups.flatMap((group) => group.lines).filter(({ say }) => !without.includes(say));

// A reply takes about a second, as it streams.
test.concurrent.each(lines)("keeps the promise of $say", async ({ say }) => {
  const customer = customers[say];
  const userId = customer === undefined ? crypto.randomUUID() : userIdOfCustomer(customer);
  const key = () => ({ idempotencyKey: crypto.randomUUID() });
  const { item: chat } = await client.createChat({ userId }, key());
  const { reply } = (await client.sendMessage(chat.id, { text: say }, key())).item;
  if (reply === null) throw new Error("the agent has not replied");
  // The other lines are questions that the help pages answer.
  const promised = promises[say] ?? { citations: expect.any(Number), products: 0, fields: 0, offers: 0 };
  expect(partsOf(reply)).toMatchObject(promised);
  if (promises[say] === undefined) expect(reply.citations).not.toEqual([]);
});
