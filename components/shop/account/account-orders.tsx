"use client";

import { useRouter } from "next/navigation";
import useSWR from "swr";
import type { Order } from "#lib/chat-client/public.ts";
import { OrderCard } from "../orders/order-card.tsx";
import styles from "./account.module.css";

interface CustomerOrders {
  /** Undefined for a guest. */
  customerId?: string;
  orders: Order[];
}

/**
 * Shows the orders that the server has rendered, and what has become of them whenever the customer comes back
 * to the page.
 */
export function AccountOrders(rendered: CustomerOrders) {
  const router = useRouter();
  // The customer is part of the key, so that the cache never shows one customer's orders to the next.
  const { data } = useSWR(["/api/shop/orders", rendered.customerId], readOrders, {
    fallbackData: rendered,
    onSuccess: ({ customerId }) => {
      // Another tab has signed in or out.
      if (customerId !== rendered.customerId) router.refresh();
    },
  });
  const { orders } = data.customerId === rendered.customerId ? data : rendered;
  return (
    <section aria-labelledby="orders">
      <h2 className={styles["title"]} id="orders">
        {orders.length === 1 ? "Your order" : `Your ${orders.length} orders`}
      </h2>
      <ul className={styles["orders"]}>
        {orders.map((order) => (
          <li key={order.reference}>
            <OrderCard order={order} />
          </li>
        ))}
      </ul>
    </section>
  );
}

async function readOrders([path]: readonly [string, ...unknown[]]): Promise<CustomerOrders> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}
