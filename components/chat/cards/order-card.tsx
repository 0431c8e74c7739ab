import type { ReactNode } from "react";
import type { Order, OrderItem } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { phoneLink } from "../../../lib/engine/text-parts.ts";
import { useChatContext } from "../chat-context.ts";
import { Icon, type IconName } from "../controls/icons.tsx";
import type { Strings } from "../i18n/language.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./cards.module.css";

/** More orders than this are a list to choose from: each order collapses to one line. */
const maxExpanded = 2;

export function OrderCards({ orders }: { orders: readonly Order[] }) {
  const { t } = useChatContext();
  const isCollapsed = orders.length > maxExpanded;
  return orders.map((order, index) => (
    <article
      // biome-ignore lint/suspicious/noArrayIndexKey: references may repeat, and the orders of one answer never change places
      key={index}
      className={styles["order"]}
      data-kind={order.kind}
    >
      {isCollapsed ? (
        <details>
          <summary>
            <OrderHead order={order}>{statusLine(order, t)}</OrderHead>
            <Icon name="down" />
          </summary>
          <OrderDetails order={order} />
        </details>
      ) : (
        <>
          <OrderHead order={order} />
          <OrderDetails order={order} />
        </>
      )}
    </article>
  ));
}

const kindIcons: Record<Order["kind"], IconName> = { online: "box", workshop: "wrench", order: "store" };

function OrderHead({ order: { kind, reference }, children }: { order: Order; children?: ReactNode }) {
  const { t } = useChatContext();
  return (
    <div className={styles["orderHead"]}>
      <Icon name={kindIcons[kind]} />
      <div className={styles["orderName"]}>
        <p className={styles["small"]}>{t.orders[kind]}</p>
        <h3>
          <bdi>{reference}</bdi>
        </h3>
        {children}
      </div>
    </div>
  );
}

function statusLine({ status, complete }: Order, t: Strings): ReactNode {
  const shown = hasVisibleText(status) ? status : complete ? t.orders.complete : null;
  return (
    shown !== null && (
      <p className={styles["orderStatus"]} data-tone={complete && "good"}>
        {complete && <Icon name="check" size={16} />}
        <bdi>{shown}</bdi>
      </p>
    )
  );
}

/** The day of the order, its status, and the day when it is due, as a line. */
function steps(order: Order, t: Strings): ReactNode {
  const { placedLabel, dueLabel, complete } = order;
  const placed = day(t.orders.placed, placedLabel, true);
  const due = day(t.orders.due, dueLabel, complete);
  const status = statusLine(order, t);
  return (
    (placed || due || status) && (
      <ol className={styles["steps"]}>
        {placed}
        {complete && due}
        {status && (
          <li aria-current="step" data-past={complete}>
            {status}
          </li>
        )}
        {!complete && due}
      </ol>
    )
  );
}

function day(name: string, label: string | null, isPast: boolean): ReactNode {
  return (
    label !== null &&
    hasVisibleText(label) && (
      <li data-past={isPast}>
        <span>{name}</span> <bdi>{label}</bdi>
      </li>
    )
  );
}

function OrderDetails({ order }: { order: Order }) {
  const { t } = useChatContext();
  const { servicedItem } = order;
  return (
    <div className={styles["orderDetails"]}>
      {steps(order, t)}
      {servicedItem !== null && hasVisibleText(servicedItem) && (
        <p className={styles["serviced"]}>
          <span>{t.orders.item}</span> <bdi>{servicedItem}</bdi>
        </p>
      )}
      {order.items.length > 0 && (
        <ul className={styles["items"]} aria-label={t.orders.items}>
          {order.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity, and never change places
            <ItemLine key={index} item={item} />
          ))}
        </ul>
      )}
      {order.store !== null && <StoreLine store={order.store} />}
    </div>
  );
}

function ItemLine({ item: { quantity, description, arrived } }: { item: OrderItem }) {
  const { t, format } = useChatContext();
  return (
    <li>
      <span className={styles["quantity"]}>
        {fill(t.orders.quantity, { count: format.number(quantity) })}
      </span>
      <bdi>{description}</bdi>
      {arrived !== null && (
        <span className={styles["arrival"]} data-tone={arrived && "good"}>
          <Icon name={arrived ? "check" : "clock"} size={16} />
          {arrived ? t.orders.arrived : t.orders.notArrived}
        </span>
      )}
    </li>
  );
}

function StoreLine({ store }: { store: NonNullable<Order["store"]> }) {
  const { t } = useChatContext();
  const link = phoneLink(store.phone);
  return (
    <p className={styles["storeLine"]}>
      <span className={styles["storeName"]}>
        <Icon name="store" size={16} />
        <span>
          {t.orders.store} <bdi>{store.name}</bdi>
        </span>
      </span>
      {store.phone !== null &&
        (link === null ? (
          <bdi>{store.phone}</bdi>
        ) : (
          <a href={link} aria-label={fill(t.orders.call, { phone: store.phone })}>
            <Icon name="phone" size={16} />
            <bdi dir="ltr">{store.phone}</bdi>
          </a>
        ))}
    </p>
  );
}
