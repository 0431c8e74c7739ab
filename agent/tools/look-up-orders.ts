import { z } from "zod";
import { limits } from "#lib/chat-api/limits.ts";
import type { Order } from "#lib/chat-api/order.ts";
import { type OwnedOrder, withoutOwner } from "#lib/shop/orders.ts";
import { defineTool, type ToolContext } from "./tool.ts";

const Wanted = z.object({
  reference: z.string().optional().describe("As the customer wrote it: TT-100482, w 2231."),
  email: z.string().optional().describe("That of the order; needed unless the customer is signed in."),
});

interface OrderFinding {
  /** All requested orders that the customer may see, the newest first. */
  orders: readonly Order[];
  /**
   * `not_shown`: neither the sign-in nor the e-mail address proves ownership, or the order does not exist;
   * the customer cannot tell which. `details_needed`: the customer is not signed in and named no order.
   */
  missing?: "not_shown" | "details_needed";
}

export const lookUpOrdersTool = defineTool({
  description:
    "Looks up the customer's orders and workshop jobs: all of a signed-in customer's, or one by reference and email. When it answers details_needed or not_shown, ask for the form find-my-order with ask_for_details.",
  input: Wanted,
  use(wanted, context) {
    const report = lookUpOrders(wanted, context);
    const orders = report.orders.slice(0, limits.ordersPerMessage);
    return { report, shows: orders.length > 0 ? { orders } : {} };
  },
});

/**
 * Orders are shown to their signed-in owner, or to a customer who knows both the reference and the e-mail
 * address. Everything else looks like a missing order. A signed-in customer's user ID is `cust.<id>`.
 */
export function lookUpOrders(
  { reference, email = "" }: z.infer<typeof Wanted>,
  { shop, turn }: ToolContext,
): OrderFinding {
  const customer = shop.customers.find(({ id }) => turn.userId === `cust.${id}`);
  const isOwn = ({ owner }: OwnedOrder) => owner === customer?.id;
  if (reference === undefined)
    return customer
      ? { orders: shop.orders.filter(isOwn).map(withoutOwner) }
      : { orders: [], missing: "details_needed" };
  const wanted = canonicalReference(reference);
  const address = email.trim().toLowerCase();
  const found = shop.orders.find(
    (order) =>
      canonicalReference(order.reference) === wanted &&
      (isOwn(order) || order.email.trim().toLowerCase() === address),
  );
  return found ? { orders: [withoutOwner(found)] } : { orders: [], missing: "not_shown" };
}

function canonicalReference(reference: string): string {
  return reference
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
}
