import { Badge } from "#components/ui/badge.tsx";
import visually from "#components/ui/visually.module.css";
import type { ProductPrice as Price } from "#lib/shop/catalogue.ts";
import { discountPercent, formatAmount } from "#lib/shop/price.ts";
import styles from "./product-price.module.css";

export function ProductPrice({ price, large = false }: { price: Price | null; large?: boolean }) {
  if (price === null) return <p className={styles["price"]}>Price on request</p>;
  const discount = discountPercent(price);
  return (
    <p className={large ? styles["large"] : styles["price"]}>
      <span className={discount === undefined ? undefined : styles["sale"]}>
        {price.from ? <span className={styles["from"]}>from </span> : null}
        {price.amount === 0 ? "Free" : <bdi>{formatAmount(price.amount, price.currency)}</bdi>}
      </span>
      {price.was === null ? null : (
        <s className={styles["was"]}>
          <span className={visually["hidden"]}>was </span>
          <bdi>{formatAmount(price.was, price.currency)}</bdi>
        </s>
      )}
      {discount === undefined ? null : <Badge tone="highlight">−{discount}%</Badge>}
    </p>
  );
}
