import type { Order, OrderItem } from "../../../lib/chat-api/order.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { phoneLink } from "../../../lib/engine/text-parts.ts";
import { useChatContext } from "../chat-context.ts";
import { Icon, type IconName } from "../controls/icons.tsx";
import { fill } from "../i18n/strings.ts";
import styles from "./cards.module.css";

/** More orders than this are a list to choose from: each order collapses to one line. */
const maxExpanded = 2;

export function OrderCards({ orders }: { orders: readonly Order[] }) {
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
            <OrderHead order={order} />
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

function OrderHead({ order: { kind, reference, status, complete } }: { order: Order }) {
  const { t } = useChatContext();
  const shownStatus = hasVisibleText(status) ? status : complete ? t.orders.complete : null;
  return (
    <div className={styles["orderHead"]}>
      <Icon name={kindIcons[kind]} />
      <div className={styles["orderName"]}>
        <p className={styles["small"]}>{t.orders[kind]}</p>
        <h3>
          <bdi>{reference}</bdi>
        </h3>
        {shownStatus !== null && (
          <p className={styles["orderStatus"]} data-complete={complete}>
            {complete && <Icon name="check" size={16} />}
            <bdi>{shownStatus}</bdi>
          </p>
        )}
      </div>
    </div>
  );
}

function OrderDetails({ order }: { order: Order }) {
  const { t } = useChatContext();
  const facts = [
    { label: t.orders.item, value: order.servicedItem },
    { label: t.orders.placed, value: order.placedLabel },
    { label: t.orders.due, value: order.dueLabel },
  ].flatMap(({ label, value }) => (value === null || !hasVisibleText(value) ? [] : [{ label, value }]));
  return (
    <div className={styles["orderDetails"]}>
      {facts.length > 0 && (
        <dl>
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
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
        <span className={styles["arrival"]} data-arrived={arrived}>
          <Icon name={arrived ? "check" : "clock"} size={14} />
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
            <Icon name="phone" size={14} />
            <bdi dir="ltr">{store.phone}</bdi>
          </a>
        ))}
    </p>
  );
}
