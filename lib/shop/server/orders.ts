/** The shop's orders. */
import { ordersOf } from "../orders.ts";
import { shopRoute } from "./shop-request.ts";
import { customerOf } from "./sign-in.ts";

/** The signed-in customer's orders; a guest has none. */
export const listOrders = shopRoute(async (request) => {
  const customer = customerOf(request);
  return Response.json({ items: customer === null ? [] : ordersOf(customer.id) });
});
