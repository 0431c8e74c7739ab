import { z } from "zod";
import { limits } from "#lib/chat-api/limits.ts";
import type { Order } from "#lib/chat-api/message.ts";
import { type OwnedOrder, orderOn } from "#lib/shop/orders.ts";
import { defineTool, type ToolContext } from "./tool.ts";

const Wanted = z.object({
  reference: z.string().optional().describe("As the customer wrote it: TT-100482, w 2231."),
  email: z.string().optional().describe("That of the order; needed unless the customer is signed in."),
});

export const lookUpOrdersTool = defineTool({
  input: Wanted,
  use(wanted, context) {
    const report = lookUpOrders(wanted, context);
    const orders = report.orders.slice(0, limits.ordersPerMessage);
    return { report, shows: orders.length > 0 ? { orders } : {} };
  },
});

/**
 * Orders are shown to their signed-in owner, or to a customer who knows both the reference and the e-mail
 * address, the newest first. Everything else looks like a missing order (`not_shown`). `details_needed`: the
 * customer is not signed in and named no order. A signed-in customer's user ID is `cust.<id>`.
 */
export function lookUpOrders(
  { reference, email = "" }: z.infer<typeof Wanted>,
  { shop, turn }: ToolContext,
): { orders: readonly Order[]; missing?: string } {
  const customer = shop.customers.find(({ id }) => turn.userId === `cust.${id}`);
  const isOwn = ({ owner }: OwnedOrder) => owner === customer?.id;
  if (reference === undefined)
    return customer
      ? { orders: shop.orders.filter(isOwn).map((order) => orderOn(order, turn.now)) }
      : { orders: [], missing: "details_needed" };
  const wanted = canonicalReference(reference);
  const address = email.trim().toLowerCase();
  const found = shop.orders.find(
    (order) =>
      canonicalReference(order.reference) === wanted &&
      (isOwn(order) || order.email.trim().toLowerCase() === address),
  );
  return found ? { orders: [orderOn(found, turn.now)] } : { orders: [], missing: "not_shown" };
}

function canonicalReference(reference: string): string {
  return reference
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
}
