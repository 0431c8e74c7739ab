/** Order (docs/chat-api.md, "Order"). */
import { z } from "zod";
import { enumOr, listOf, orNull } from "./schema-parts.ts";

export const orderKinds = ["online", "workshop", "order"] as const;

export const OrderItem = z.object({
  description: z.string().describe("What was ordered."),
  quantity: z.number().describe("How many."),
  arrived: orNull(z.boolean()).describe("Whether it has arrived; null when unknown."),
});
export type OrderItem = z.infer<typeof OrderItem>;

export const Order = z.object({
  reference: z.string().describe("How the customer knows the order."),
  kind: enumOr(orderKinds, "order").describe("What kind of order it is."),
  status: z.string().describe("The shop's own wording."),
  complete: z.boolean().default(false).describe("Closed in the shop's system: finished and handed over."),
  placedLabel: orNull(z.string()).describe("When placed, as a label."),
  dueLabel: orNull(z.string()).describe("When due, as a label."),
  servicedItem: orNull(z.string()).describe("Item being repaired or serviced."),
  items: listOf(OrderItem).describe("What belongs to the order."),
  store: orNull(z.object({ name: z.string(), phone: orNull(z.string()) })).describe("The shop that has it."),
});
export type Order = z.infer<typeof Order>;
