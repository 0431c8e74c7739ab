/** The demo's customers and their orders. */
import type { Order } from "../chat-client/public.ts";
import data from "./orders.json" with { type: "json" };

export interface DemoCustomer {
  id: string;
  name: string;
  email: string;
  locale: string;
  timeZone: string;
  about: string;
}

export interface OwnedOrder extends Order {
  /** Customer ID. */
  owner: string;
  email: string;
}

export const customers: readonly DemoCustomer[] = data.customers;
/** content.test.ts checks the file's shape. */
export const orders = data.orders as readonly OwnedOrder[];

/** A customer's orders, in the order of orders.json. */
export function ordersOf(customerId: string): Order[] {
  return orders.filter(({ owner }) => owner === customerId).map(withoutOwner);
}

/** The order as the Chat API shows it. */
export function withoutOwner({ owner: _owner, email: _email, ...order }: OwnedOrder): Order {
  return order;
}
