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

interface SignInProps {
  customers: readonly DemoCustomer[];
  action: ComponentProps<typeof ActionForm>["action"];
}

/** The demo's sign-in: the customer only chooses an account. */
export function SignIn({ customers, action }: SignInProps) {
  return (
    <section aria-labelledby="sign-in">
      <h2 className={styles["title"]} id="sign-in">
        Sign in as
      </h2>
      <ActionForm action={action}>
        <ul className={styles["customers"]}>
          {customers.map((customer) => (
            <li key={customer.id}>
              <button className={styles["customer"]} name="customer" type="submit" value={customer.id}>
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
      </ActionForm>
    </section>
  );
}
