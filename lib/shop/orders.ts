/** The demo's customers and their orders. */
import data from "./orders.json" with { type: "json" };

export interface DemoCustomer {
  id: string;
  name: string;
  email: string;
  locale: string;
  timeZone: string;
  about: string;
}

export interface ShopOrder {
  reference: string;
  kind: string;
  status: string;
  complete: boolean;
  placedLabel: string | null;
  dueLabel: string | null;
  servicedItem: string | null;
  items: readonly { description: string; quantity: number; arrived: boolean | null }[];
  store: { name: string; phone: string | null } | null;
}

interface OwnedOrder extends ShopOrder {
  /** Customer ID. */
  owner: string;
  email: string;
}

export const customers: readonly DemoCustomer[] = data.customers;
const orders: readonly OwnedOrder[] = data.orders;

/** A customer's orders, newest first. */
export function ordersOf(customerId: string): ShopOrder[] {
  return orders.filter(({ owner }) => owner === customerId).map(withoutOwner);
}

/** The order with this reference, if it belongs to this e-mail address. Unknown and foreign orders look the same. */
export function findOrder(reference: string, email: string): ShopOrder | undefined {
  const order = orders.find(
    (candidate) =>
      candidate.reference === reference.trim().toUpperCase() &&
      candidate.email === email.trim().toLowerCase(),
  );
  return order && withoutOwner(order);
}

function withoutOwner({ owner: _owner, email: _email, ...order }: OwnedOrder): ShopOrder {
  return order;
}
