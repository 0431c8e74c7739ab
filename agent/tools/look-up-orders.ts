import { z } from "zod";
import { limits } from "#lib/chat-api/limits.ts";
import type { Order } from "#lib/chat-api/order.ts";
import { type OwnedOrder, withoutOwner } from "#lib/shop/orders.ts";
import { defineTool, type ToolContext } from "./tool.ts";

const Input = z.object({
  reference: z.string().optional().describe("As the customer wrote it: TT-100482, w 2231."),
  email: z
    .string()
    .optional()
    .describe("The address that the order was placed with; needed unless the customer is signed in."),
});

export type OrderFinding =
  /** All requested orders that the customer may see, the newest first. */
  | { kind: "found"; orders: readonly Order[] }
  /**
   * Neither the sign-in nor the e-mail address proves ownership, or the order does not exist. The customer
   * cannot tell which.
   */
  | { kind: "not_shown" }
  /** The customer is not signed in and named no order. */
  | { kind: "details_needed" };

/**
 * Orders are shown to their signed-in owner, or to a customer who knows both the reference and the e-mail
 * address. Everything else looks like a missing order.
 */
export const lookUpOrdersTool = defineTool<z.infer<typeof Input>, OrderFinding>({
  name: "look_up_orders",
  description:
    "Looks up the customer's orders and workshop jobs: all of a signed-in customer's, or one by reference and email. When it answers details_needed or not_shown, ask for the form find-my-order with ask_for_details.",
  input: Input,
  run({ reference, email }, context) {
    const wanted = reference === undefined ? undefined : canonicalReference(reference);
    const own = ordersOfCustomer(context);
    if (wanted === undefined)
      return own ? { kind: "found", orders: own.map(withoutOwner) } : { kind: "details_needed" };
    const found =
      own?.find((order) => canonicalReference(order.reference) === wanted) ??
      context.shop.orders.find(
        (order) =>
          canonicalReference(order.reference) === wanted &&
          email !== undefined &&
          isSameAddress(order.email, email),
      );
    return found ? { kind: "found", orders: [withoutOwner(found)] } : { kind: "not_shown" };
  },
  report: (finding) => finding,
  shows: (finding) =>
    finding.kind === "found" ? { orders: finding.orders.slice(0, limits.ordersPerMessage) } : {},
});

/** The signed-in customer's orders; undefined for a guest. A customer's user ID is `cust.<id>`. */
function ordersOfCustomer({ shop, turn }: ToolContext): readonly OwnedOrder[] | undefined {
  const customer = shop.customers.find(({ id }) => turn.userId === `cust.${id}`);
  return customer && shop.orders.filter((order) => order.owner === customer.id);
}

function canonicalReference(reference: string): string {
  return reference
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
}

function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
