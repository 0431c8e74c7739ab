/** The demo's customers and their orders. */
import type { Order } from "../chat-client/public.ts";
import data from "./orders.json" with { type: "json" };
import { addDays, localTime } from "./stores.ts";

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
/** content.test.ts checks the file's shape. `{+9}` in a label is the date nine days after today. */
export const orders = data.orders as readonly OwnedOrder[];

/** A customer's orders, in the order of orders.json. */
export function ordersOf(customerId: string, now = new Date()): Order[] {
  return orders.filter(({ owner }) => owner === customerId).map((order) => orderOn(order, now));
}

/** The order as the Chat API shows it. Its dates count from `now`, so that the demo's orders stay recent. */
export function orderOn({ owner: _owner, email: _email, ...order }: OwnedOrder, now: Date): Order {
  const today = localTime(now).date;
  const dated = (label: string | null) =>
    label?.replace(/\{([+-]\d+)\}/g, (_, days) =>
      labelFormat.format(new Date(addDays(today, Number(days)))),
    ) ?? null;
  return { ...order, placedLabel: dated(order.placedLabel), dueLabel: dated(order.dueLabel) };
}

const labelFormat = new Intl.DateTimeFormat("en-GB", {
  ...{ weekday: "short", day: "numeric", month: "long", timeZone: "UTC" },
});
