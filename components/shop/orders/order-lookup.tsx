"use client";

import { type SubmitEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import type { Order } from "#lib/chat-client/public.ts";
import { findOrder, ShopApiError } from "../shop-api.ts";
import { OrderCard } from "./order-card.tsx";
import styles from "./order-lookup.module.css";

type Lookup =
  | { state: "idle" }
  | { state: "searching" }
  | { state: "found"; order: Order }
  | { state: "failed"; message: string };

export function OrderLookup() {
  const [lookup, setLookup] = useState<Lookup>({ state: "idle" });

  const search = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setLookup({ state: "searching" });
    try {
      const order = await findOrder(String(form.get("reference")), String(form.get("email")));
      setLookup({ state: "found", order });
    } catch (error) {
      if (!(error instanceof ShopApiError)) throw error;
      setLookup({ state: "failed", message: sentenceOf(error) });
    }
  };

  return (
    <div className={styles["lookup"]}>
      <form className={styles["form"]} onSubmit={(event) => void search(event)}>
        <TextField
          autoComplete="off"
          hint="It starts with TT, W, C or X and is in the subject of our e-mails."
          id="order-reference"
          label="Order reference"
          maxLength={64}
          name="reference"
          required
        />
        <TextField
          autoComplete="email"
          hint="The address that you ordered with."
          id="order-email"
          label="E-mail address"
          maxLength={254}
          name="email"
          required
          type="email"
        />
        <Button disabled={lookup.state === "searching"} type="submit" variant="primary">
          {lookup.state === "searching" ? "Looking …" : "Find my order"}
        </Button>
      </form>
      <div aria-live="polite">
        {lookup.state === "failed" ? <p className={styles["failed"]}>{lookup.message}</p> : null}
        {lookup.state === "found" ? <OrderCard order={lookup.order} /> : null}
      </div>
    </div>
  );
}

function sentenceOf(error: ShopApiError): string {
  switch (error.code) {
    case "not_found":
      return "We have no order with this reference and e-mail address. Check both; the reference is in the subject of our e-mails.";
    case "rate_limited":
      return "That was a lot of tries. Please wait a minute, or ask Wren.";
    default:
      return error.message;
  }
}
