/** A chat with the whole catalogue, orders of each kind, sources and suggested replies. */

import { userIdOfCustomer } from "#lib/bff/session/customer.ts";
import { limits } from "#lib/chat-api/limits.ts";
import type { Citation } from "#lib/chat-api/message.ts";
import { catalogue, productCard } from "#lib/shop/catalogue.ts";
import { orders as shopOrders, withoutOwner } from "#lib/shop/orders.ts";
import type { ImportedMessage } from "../../testing/lab/lab-client.ts";
import { day, minutesBefore, type Seed } from "./seed.ts";

export const everyCard: Seed = {
  id: "demo-every-card",
  customerId: "maya-okafor",
  title: "Every card",
  about:
    "Products with and without price, stock, picture, brand and page; orders of each kind; 1 and 20 sources; replies to pick.",
  chat: ({ now, shopOrigin }) => ({
    userId: userIdOfCustomer("maya-okafor"),
    createdAt: minutesBefore(now, 240),
    messages: [
      { role: "visitor", text: "Show me everything.", createdAt: minutesBefore(now, 240) },
      ...productMessages(now, shopOrigin),
      ...orderMessages(now),
      {
        role: "agent",
        text: "One source, and it is on paper.",
        createdAt: minutesBefore(now, 30),
        citations: [{ title: "Winter check (poster)", url: null, updatedAt: null }],
      },
      {
        role: "agent",
        text: "Twenty sources.",
        createdAt: minutesBefore(now, 29),
        citations: twentySources(now, shopOrigin),
      },
      {
        role: "agent",
        text: "What next?",
        createdAt: minutesBefore(now, 28),
        choices: ["Show me helmets", "Where is my order?", "ساعات العمل"],
      },
    ],
  }),
};

function productMessages(now: Date, shopOrigin: string): ImportedMessage[] {
  const cards = catalogue.map((product) => productCard(product, shopOrigin));
  const pages: ImportedMessage[] = [];
  for (let first = 0; first < cards.length; first += limits.productsPerMessage) {
    const products = cards.slice(first, first + limits.productsPerMessage);
    pages.push({
      role: "agent",
      text: `Products ${first + 1} to ${first + products.length} of ${cards.length}.`,
      createdAt: minutesBefore(now, 200 - first),
      products,
    });
  }
  return pages;
}

function orderMessages(now: Date): ImportedMessage[] {
  const ofEachKind = shopOrders.filter(({ owner }) => owner !== "kenji-mori").map(withoutOwner);
  const twelve = shopOrders.filter(({ owner }) => owner === "kenji-mori").map(withoutOwner);
  const messages = [
    ["Orders of every kind, with and without what an order may have.", ofEachKind],
    ["Ten orders, which is the most that a message can carry.", twelve.slice(0, limits.ordersPerMessage)],
  ] as const;
  return messages.map(([text, orders], index) => ({
    role: "agent",
    text,
    createdAt: minutesBefore(now, 60 - index),
    orders,
  }));
}

/** Citations with and without a URL, updated today, years ago or at an unknown time. */
function twentySources(now: Date, shopOrigin: string): Citation[] {
  const pages = ["returns", "delivery", "warranty", "payment", "store-hours"];
  return Array.from({ length: limits.citationsPerMessage }, (_, index): Citation => {
    const page = pages[index % pages.length] ?? "returns";
    return {
      title: `Source ${index + 1}: ${page}`,
      url: index % 4 === 3 ? null : `${shopOrigin}/help/${page}`,
      updatedAt: index % 3 === 2 ? null : minutesBefore(now, index * 80 * day),
    };
  });
}
