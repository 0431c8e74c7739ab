import { anOrder } from "#lib/chat-api/testing/builders.ts";
import { aProduct } from "#lib/engine/testing/builders.ts";

/** A product and an order whose cards show nearly all their parts, for replies scripted by the lab. */
export const helmet = aProduct({
  id: "kestrel",
  clickAndCollectOnly: true,
  price: { amount: 64, currency: "GBP", was: 80, from: true },
});

export const repair = anOrder({
  reference: "W-2231",
  kind: "workshop",
  status: "Waiting for parts",
  placedLabel: null,
  dueLabel: "Fri 6 June",
  servicedItem: "Fell 2, rear hub",
  items: [{ description: "Labour", quantity: 1, arrived: null }],
  store: { name: "Kelderby", phone: "+44 1632 960101" },
});
