import { type RefObject, useEffect, useRef, useState } from "react";
import type { Price, Product } from "../../../lib/chat-api/product.ts";
import { safePictureUrl, safeUrl } from "../../../lib/conversation/text-parts.ts";
import { useChat } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { PartIcon } from "../controls/part-icons.tsx";
import { PlainPicture } from "../controls/plain-picture.tsx";
import { SafeLink } from "../controls/safe-link.tsx";
import { markSmall } from "../files/mark-small.ts";
import { useRetryOnline } from "../files/use-retry-online.ts";
import { moneyOf } from "../format/money.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./cards.module.css";

/** A row that scrolls from card to card when not all fit, with buttons for customers who do not swipe. */
export function ProductCards({ products }: { products: readonly Product[] }) {
  const { t, format } = useChat();
  const list = useRef<HTMLUListElement>(null);
  const { first, last } = useShownCards(list, products.length);
  if (products.length === 0) return null;
  const hasMore = last - first + 1 < products.length;
  const numbers = [...new Set([first, last])].map((index) => format.number(index + 1));
  return (
    <div className={styles["carousel"]}>
      <ul
        ref={list}
        className={styles["products"]}
        aria-label={t.products.label}
        // Without `tabIndex` the keyboard cannot scroll cards without links (WCAG 2.1.1).
        tabIndex={hasMore ? 0 : undefined}
        data-count={products.length}
      >
        {products.map((product, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: IDs may repeat, and the products of one answer never change places
          <ProductCard key={index} product={product} />
        ))}
      </ul>
      {hasMore && (
        <div className={styles["steps"]}>
          <IconButton
            label={t.products.previous}
            icon={<StepIcon name="back" />}
            aria-disabled={first === 0}
            onClick={() => bringToStart(list.current, first - 1)}
          />
          <span>
            {fill(t.products.position, {
              at: numbers.join("–"),
              total: format.number(products.length),
            })}
          </span>
          <IconButton
            label={t.products.next}
            icon={<StepIcon name="forward" />}
            aria-disabled={last === products.length - 1}
            onClick={() => bringToStart(list.current, first + 1)}
          />
        </div>
      )}
    </div>
  );
}

function StepIcon({ name }: { name: "back" | "forward" }) {
  return (
    <span className={styles["step"]}>
      <PartIcon name={name} />
    </span>
  );
}

/** Indices of the first and the last card of which at least nine tenths are in view. */
function useShownCards(list: RefObject<HTMLElement | null>, count: number): { first: number; last: number } {
  const [shown, setShown] = useState({ first: 0, last: Math.min(count, 2) - 1 });
  useEffect(() => {
    const row = list.current;
    if (row === null) return;
    const visible = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target);
          else visible.delete(target);
        }
        const inView = [...row.children].flatMap((card, index) => (visible.has(card) ? [index] : []));
        const [first] = inView;
        // Between two cards, or while the row is out of sight, no card is in view: keep the last known ones.
        if (first !== undefined) setShown({ first, last: inView.at(-1) ?? first });
      },
      { root: row, threshold: 0.9 },
    );
    for (const card of row.children) observer.observe(card);
    return () => observer.disconnect();
  }, [list]);
  return shown;
}

/** Scrolls only the row: `scrollIntoView` would move the message list as well. */
function bringToStart(list: HTMLElement | null, index: number): void {
  const card = list?.children[index];
  if (!list || card === undefined) return;
  const side = getComputedStyle(list).direction === "rtl" ? "right" : "left";
  list.scrollBy({ left: card.getBoundingClientRect()[side] - list.getBoundingClientRect()[side] });
}

function ProductCard({ product }: { product: Product }) {
  const { t } = useChat();
  const url = safeUrl(product.productUrl);
  const title = <bdi>{product.title.trim() || t.products.untitled}</bdi>;
  return (
    <li className={styles["product"]}>
      <Picture address={product.imageUrl} />
      <div className={styles["productBody"]}>
        <div className={styles["productName"]}>
          {product.brand !== null && (
            <p className={styles["small"]}>
              <bdi>{product.brand}</bdi>
            </p>
          )}
          <p className={styles["productTitle"]}>
            {url === null ? (
              title
            ) : (
              <SafeLink url={url} className={styles["cover"]}>
                {title}
              </SafeLink>
            )}
          </p>
        </div>
        {product.price !== null && <PriceLine price={product.price} />}
        <Stock product={product} />
      </div>
    </li>
  );
}

/** Without a picture, or when it does not load, the text takes its place. */
function Picture({ address }: { address: string | null }) {
  const { pictureOrigins } = useChat().shop;
  const url = safePictureUrl(address, window.location.origin, pictureOrigins);
  const [hasFailed, setFailed] = useState(false);
  useRetryOnline(hasFailed, () => setFailed(false));
  if (url === null || hasFailed) return null;
  return (
    <div className={styles["picture"]}>
      <PlainPicture
        src={url}
        alt=""
        width={320}
        height={240}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onLoad={markSmall}
        onError={() => setFailed(true)}
      />
    </div>
  );
}

function PriceLine({ price }: { price: Price }) {
  const { t, format } = useChat();
  const amount = moneyOf(price.amount, price.currency, format.locale);
  const was =
    price.was !== null && price.was > price.amount ? moneyOf(price.was, price.currency, format.locale) : null;
  return (
    <p className={styles["price"]}>
      <span className={styles["amount"]} data-sale={was !== null}>
        {price.from ? fill(t.products.from, { price: amount }) : amount}
      </span>
      {was !== null && (
        <s>
          <Hidden>{fill(t.products.was, { price: "" })}</Hidden>
          {was}
        </s>
      )}
    </p>
  );
}

/** Shows only known values: an unknown stock gets no line. */
function Stock({ product: { inStock, clickAndCollectOnly } }: { product: Product }) {
  const { t } = useChat();
  if (inStock === null && !clickAndCollectOnly) return null;
  return (
    <ul className={styles["chips"]}>
      {inStock !== null && (
        <li data-tone={inStock ? "good" : "bad"}>{inStock ? t.products.inStock : t.products.soldOut}</li>
      )}
      {clickAndCollectOnly && (
        <li data-tone="plain">
          <PartIcon name="store" size={14} />
          {t.products.collectOnly}
        </li>
      )}
    </ul>
  );
}
