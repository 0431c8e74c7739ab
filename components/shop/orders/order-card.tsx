import type { ReactNode } from "react";
import { Badge, type BadgeTone } from "#components/ui/badge.tsx";
import { Icon } from "#components/ui/icon.tsx";
import type { Order } from "#lib/chat-client/public.ts";
import { AskButton } from "../site/ask-button.tsx";
import styles from "./order-card.module.css";

const kinds: Record<string, string> = {
  online: "Online order",
  workshop: "Workshop job",
  order: "Shop order",
};

export function OrderCard({ order }: { order: Order }) {
  const phone = order.store?.phone ?? null;
  return (
    <article aria-label={`${kinds[order.kind] ?? "Order"} ${order.reference}`} className={styles["card"]}>
      <header className={styles["head"]}>
        <div>
          <p className={styles["kind"]}>{kinds[order.kind] ?? "Order"}</p>
          <h3 className={styles["reference"]}>{order.reference}</h3>
        </div>
        <Badge tone={order.complete ? "neutral" : "info"}>{order.status}</Badge>
      </header>
      <dl className={styles["facts"]}>
        <Fact label="Placed">{order.placedLabel}</Fact>
        <Fact label="Due">{order.dueLabel}</Fact>
        <Fact label="In the workshop">{order.servicedItem}</Fact>
        <Fact label="Shop">{order.store?.name ?? null}</Fact>
        <Fact label="Telephone">
          {phone === null ? null : <a href={`tel:${phone.replaceAll(" ", "")}`}>{phone}</a>}
        </Fact>
      </dl>
      {order.items.length === 0 ? (
        <p className={styles["empty"]}>Nothing is listed yet.</p>
      ) : (
        <ul className={styles["items"]}>
          {order.items.map((item) => (
            <li key={item.description}>
              <span className={styles["quantity"]}>
                {new Intl.NumberFormat("en-GB").format(item.quantity)} ×
              </span>
              <span className={styles["description"]}>{item.description}</span>
              <Arrived arrived={item.arrived} />
            </li>
          ))}
        </ul>
      )}
      <AskButton draft={`I have a question about my order ${order.reference}`} size="small">
        <Icon name="chat" size={16} /> Ask about it
      </AskButton>
    </article>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return children === null ? null : (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Arrived({ arrived }: { arrived: boolean | null }) {
  if (arrived === null) return null;
  const tone: BadgeTone = arrived ? "success" : "warning";
  return <Badge tone={tone}>{arrived ? "Arrived" : "On its way"}</Badge>;
}
