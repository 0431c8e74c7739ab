import { ordersOf } from "#lib/shop/orders.ts";
import { customerOf } from "#lib/shop/server/sign-in.ts";

/** The signed-in customer's orders, for an account page that stays open. */
export function GET(request: Request): Response {
  const customerId = customerOf(request)?.id;
  const orders = customerId === undefined ? [] : ordersOf(customerId);
  return Response.json({ customerId, orders }, { headers: { "Cache-Control": "private, no-store" } });
}
