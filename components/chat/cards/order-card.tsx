import type { Order, OrderItem } from "#lib/chat-api/order.ts";
import { phoneLink } from "#lib/conversation/text-parts.ts";
import { useChat } from "../chat-context.ts";
import { Icon, type IconName } from "../controls/icons.tsx";
import { fill } from "../i18n/strings.ts";
import styles from "./cards.module.css";

export function OrderCards({ orders }: { orders: readonly Order[] }) {
  return orders.map((order, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: references may repeat, and the orders of one answer never change places
    <OrderCard key={index} order={order} />
  ));
}

const kindIcons: Record<Order["kind"], IconName> = { online: "box", workshop: "wrench", order: "store" };

function OrderCard({ order }: { order: Order }) {
  const { t } = useChat();
  const facts: [string, string | null][] = [
    [t.orders.item, order.servicedItem],
    [t.orders.placed, order.placedLabel],
    [t.orders.due, order.dueLabel],
  ];
  return (
    <article className={styles["order"]} data-kind={order.kind}>
      <header>
        <Icon name={kindIcons[order.kind]} />
        <div>
          <p className={styles["small"]}>{t.orders[order.kind]}</p>
          <h3>
            <bdi>{order.reference}</bdi>
          </h3>
        </div>
        <p className={styles["orderStatus"]} data-complete={order.complete}>
          {order.complete && <Icon name="check" size={16} />}
          <bdi>{order.status || (order.complete ? t.orders.complete : "")}</bdi>
        </p>
      </header>
      <dl>
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
      {order.items.length === 0 ? (
        <p className={styles["noItems"]}>{t.orders.noItems}</p>
      ) : (
        <ul className={styles["items"]} aria-label={t.orders.items}>
          {order.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity, and never change places
            <ItemLine key={index} item={item} />
          ))}
        </ul>
      )}
      {order.store !== null && <StoreLine store={order.store} />}
    </article>
  );
}

function ItemLine({ item }: { item: OrderItem }) {
  const { t, format } = useChat();
  const arrival = item.arrived === null ? "unknown" : item.arrived ? "arrived" : "missing";
  const words = { unknown: t.orders.arrivalUnknown, arrived: t.orders.arrived, missing: t.orders.notArrived };
  return (
    <li>
      <span className={styles["quantity"]}>
        {fill(t.orders.quantity, { count: format.number(item.quantity) })}
      </span>
      <bdi>{item.description}</bdi>
      <span className={styles["arrival"]} data-arrival={arrival}>
        {arrival !== "unknown" && <Icon name={arrival === "arrived" ? "check" : "clock"} size={14} />}
        {words[arrival]}
      </span>
    </li>
  );
}

function StoreLine({ store }: { store: NonNullable<Order["store"]> }) {
  const { t } = useChat();
  const link = phoneLink(store.phone);
  return (
    <p className={styles["storeLine"]}>
      <Icon name="store" size={16} />
      <span>
        {t.orders.store} <bdi>{store.name}</bdi>
      </span>
      {store.phone !== null &&
        (link === null ? (
          <bdi>{store.phone}</bdi>
        ) : (
          <a href={link} aria-label={fill(t.orders.call, { phone: store.phone })}>
            <Icon name="phone" size={14} />
            <bdi dir="ltr">{store.phone}</bdi>
          </a>
        ))}
    </p>
  );
}
