import type { Order } from "#lib/chat-api/order.ts";
import type { Product } from "#lib/chat-api/product.ts";

/** A product and an order that fill every part of their cards, for replies scripted by the lab. */
export const helmet: Product = {
  id: "kestrel",
  title: "Kestrel helmet",
  brand: "Tarn & Tread",
  imageUrl: null,
  productUrl: "https://shop.tarn-and-tread.example/products/kestrel",
  inStock: true,
  clickAndCollectOnly: true,
  price: { amount: 64, currency: "GBP", was: 80, from: true },
};

export const repair: Order = {
  reference: "W-2231",
  kind: "workshop",
  status: "Waiting for parts",
  complete: false,
  placedLabel: null,
  dueLabel: "Fri 6 June",
  servicedItem: "Fell 2, rear hub",
  items: [{ description: "Labour", quantity: 1, arrived: null }],
  store: { name: "Kelderby", phone: "+44 1632 960101" },
};
