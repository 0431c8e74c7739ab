"use client";

import { type ReactNode, useActionState } from "react";
import styles from "./account.module.css";

interface ActionFormProps {
  /** Resolves with what the customer reads if it failed. */
  action: (before: string | undefined, form: FormData) => Promise<string | undefined>;
  children: ReactNode;
}

/** A form of a server action. The browser sends it as well before scripts arrive. */
export function ActionForm({ action, children }: ActionFormProps) {
  const [failure, submit, isPending] = useActionState(action, undefined);
  return (
    <form action={submit} aria-busy={isPending}>
      <p aria-live="polite" className={styles["status"]}>
        {failure}
      </p>
      <fieldset disabled={isPending}>{children}</fieldset>
    </form>
  );
}
