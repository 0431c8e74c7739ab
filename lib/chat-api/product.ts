/** Product (docs/chat-api.md, "Product"). */
import { z } from "zod";
import { orNull } from "./schema-parts.ts";

export const Price = z.object({
  amount: z.number().describe("In the currency's main unit."),
  currency: z.string().describe("ISO 4217 code."),
  was: orNull(z.number()).describe("Price before a sale."),
  from: z.boolean().default(false).describe("True when `amount` is the lowest of several prices."),
});
export type Price = z.infer<typeof Price>;

export const Product = z.object({
  id: z.string().describe("ID in the catalogue."),
  title: z.string().describe("Its name."),
  brand: orNull(z.string()).describe("Its brand, if known."),
  imageUrl: orNull(z.string()).describe("Address of a picture, if any."),
  productUrl: orNull(z.string()).describe("Address of its page, if any."),
  inStock: orNull(z.boolean()).describe("Whether it is in stock; null when unknown."),
  clickAndCollectOnly: z.boolean().default(false).describe("True when it can only be collected from a shop."),
  price: orNull(Price).describe("Null when the price is unknown."),
});
export type Product = z.infer<typeof Product>;
