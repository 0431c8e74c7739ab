import type { ComponentProps } from "react";
import type { DemoCustomer } from "#lib/shop/orders.ts";
import styles from "./account.module.css";
import { ActionForm } from "./action-form.tsx";

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
