import type { ComponentProps } from "react";
import { Button } from "#components/ui/button.tsx";
import type { Order } from "#lib/chat-client/public.ts";
import type { DemoCustomer } from "#lib/shop/orders.ts";
import styles from "./account.module.css";
import { AccountOrders } from "./account-orders.tsx";
import { ActionForm } from "./action-form.tsx";

interface AccountProps {
  customer: DemoCustomer;
  orders: Order[];
  signOut: ComponentProps<typeof ActionForm>["action"];
}

export function Account({ customer, orders, signOut }: AccountProps) {
  return (
    <>
      <div className={styles["who"]}>
        <h2 className={styles["hello"]}>
          Hello, <bdi>{customer.name}</bdi>
        </h2>
        <ActionForm action={signOut}>
          <Button type="submit">Sign out</Button>
        </ActionForm>
      </div>
      <AccountOrders customerId={customer.id} orders={orders} />
    </>
  );
}
