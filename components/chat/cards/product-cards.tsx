import { useCallback, useState } from "react";
import type { Price, Product } from "#lib/chat-api/product.ts";
import { safePictureUrl, safeUrl } from "#lib/conversation/text-parts.ts";
import { useChat } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { SafeLink } from "../controls/safe-link.tsx";
import { useRetryOnline } from "../files/use-retry-online.ts";
import { moneyOf } from "../format/money.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./cards.module.css";

export function ProductCards({ products }: { products: readonly Product[] }) {
  const { t } = useChat();
  if (products.length === 0) return null;
  return (
    <ul className={styles["products"]} aria-label={t.products.label} data-count={products.length}>
      {products.map((product) => (
        <ProductCard key={product.id} product={product} />
      ))}
    </ul>
  );
}

function ProductCard({ product }: { product: Product }) {
  const { t } = useChat();
  const url = safeUrl(product.productUrl);
  const title = <bdi>{product.title}</bdi>;
  return (
    <li className={styles["product"]}>
      <Picture address={product.imageUrl} />
      <div className={styles["productBody"]}>
        {product.brand !== null && (
          <p className={styles["small"]}>
            <bdi>{product.brand}</bdi>
          </p>
        )}
        <p className={styles["productTitle"]}>
          {url === null ? (
            title
          ) : (
            <SafeLink url={url} hint={t.citations.opens} className={styles["cover"]}>
              {title}
            </SafeLink>
          )}
        </p>
        <PriceLine price={product.price} />
        <Stock product={product} />
      </div>
    </li>
  );
}

function Picture({ address }: { address: string | null }) {
  const { pictureOrigins } = useChat().shop;
  const url = safePictureUrl(address, window.location.origin, pictureOrigins);
  const [hasFailed, setFailed] = useState(false);
  useRetryOnline(
    hasFailed,
    useCallback(() => setFailed(false), []),
  );
  return (
    <div className={styles["picture"]}>
      {url === null || hasFailed ? (
        <Icon name="picture" size={28} />
      ) : (
        <img
          src={url}
          alt=""
          width={320}
          height={240}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed(true)}
        />
      )}
    </div>
  );
}

function PriceLine({ price }: { price: Price | null }) {
  const { t, format } = useChat();
  if (price === null) return <p className={styles["price"]}>{t.products.priceUnknown}</p>;
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

function Stock({ product }: { product: Product }) {
  const { t } = useChat();
  const { inStock } = product;
  const text = inStock === null ? t.products.stockUnknown : inStock ? t.products.inStock : t.products.soldOut;
  return (
    <ul className={styles["chips"]}>
      <li data-tone={inStock === null ? "plain" : inStock ? "good" : "bad"}>{text}</li>
      {product.clickAndCollectOnly && (
        <li data-tone="plain">
          <Icon name="store" size={14} />
          {t.products.collectOnly}
        </li>
      )}
    </ul>
  );
}
