"use client";

import { useState } from "react";
import useSWR from "swr";
import { Button } from "#components/ui/button.tsx";
import type { DemoCustomer } from "#lib/shop/orders.ts";
import { OrderCard } from "../orders/order-card.tsx";
import {
  listOrders,
  ordersPath,
  readCustomer,
  ShopApiError,
  sessionPath,
  signIn,
  signOut,
} from "../shop-api.ts";
import styles from "./account-panel.module.css";

/** The demo's sign-in: the customer only chooses an account. Afterwards it lists the customer's orders. */
export function AccountPanel({ customers }: { customers: readonly DemoCustomer[] }) {
  const session = useSWR(sessionPath, readCustomer);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);

  const change = async (action: () => Promise<void>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await action();
      await session.mutate();
    } catch (error) {
      if (!(error instanceof ShopApiError)) throw error;
      setFailure(error.message);
    } finally {
      setBusy(false);
    }
  };

  const customer = session.data;
  return (
    <div aria-busy={busy || session.isLoading}>
      <p aria-live="polite" className={styles["status"]}>
        {failure ?? session.error?.message}
      </p>
      {customer === undefined ? null : customer === null ? (
        <SignIn busy={busy} customers={customers} onChoose={(id) => void change(() => signIn(id))} />
      ) : (
        <>
          <div className={styles["who"]}>
            <h2 className={styles["hello"]}>
              Hello, <bdi>{customer.name}</bdi>
            </h2>
            <Button disabled={busy} onClick={() => void change(signOut)}>
              Sign out
            </Button>
          </div>
          <Orders customerId={customer.id} />
        </>
      )}
    </div>
  );
}

interface SignInProps {
  customers: readonly DemoCustomer[];
  busy: boolean;
  onChoose: (customerId: string) => void;
}

function SignIn({ customers, busy, onChoose }: SignInProps) {
  return (
    <section aria-labelledby="sign-in">
      <h2 className={styles["title"]} id="sign-in">
        Sign in as
      </h2>
      <ul className={styles["customers"]}>
        {customers.map((customer) => (
          <li key={customer.id}>
            <button
              className={styles["customer"]}
              disabled={busy}
              onClick={() => onChoose(customer.id)}
              type="button"
            >
              <span aria-hidden="true" className={styles["initial"]}>
                {[...customer.name][0]}
              </span>
              <span className={styles["about"]}>
                <span className={styles["name"]} lang={customer.locale}>
                  <bdi>{customer.name}</bdi>
                </span>
                <span>{customer.about}.</span>
                <span className={styles["small"]}>
                  {customer.email} · {customer.timeZone.replace("_", " ")}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Orders({ customerId }: { customerId: string }) {
  // The customer is part of the key, so that the cache never shows one customer's orders to the next.
  const { data: orders, error } = useSWR([ordersPath, customerId], listOrders);
  if (error instanceof ShopApiError) return <p className={styles["status"]}>{error.message}</p>;
  if (orders === undefined) return <p aria-busy="true">Fetching your orders …</p>;
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
