import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";
import { markets, type ShopProduct } from "#lib/shop/catalogue.ts";
import styles from "./product-card.module.css";
import { ProductPicture } from "./product-picture.tsx";
import { ProductPrice } from "./product-price.tsx";
import { StockBadge } from "./stock-badge.tsx";

export function ProductCard({ product, eager = false }: { product: ShopProduct; eager?: boolean }) {
  return (
    <article className={styles["card"]}>
      <ProductPicture
        alt=""
        className={styles["picture"]}
        eager={eager}
        name={product.title}
        src={product.image}
      />
      <div className={styles["text"]}>
        <p className={styles["brand"]}>
          {product.brand ?? "Tarn & Tread"}
          {product.market === "gb" ? null : ` · ${markets[product.market].short}`}
        </p>
        <h3 className={styles["title"]}>
          {product.path === null ? (
            <bdi>{product.title}</bdi>
          ) : (
            <Link className={styles["link"]} href={product.path}>
              <bdi>{product.title}</bdi>
            </Link>
          )}
        </h3>
        <ProductPrice price={product.price} />
        <p className={styles["stock"]}>
          <StockBadge product={product} />
        </p>
      </div>
    </article>
  );
}

interface ProductGridProps {
  products: readonly ShopProduct[];
  /** How many pictures are in view on page load. */
  eager?: number;
  /** `four`: rows of four on wide screens, for lists whose length is a multiple of four. */
  columns?: "fitting" | "four";
}

export function ProductGrid({ products, eager = 0, columns = "fitting" }: ProductGridProps) {
  return (
    <ul className={classNames(styles["grid"], columns === "four" && styles["four"])}>
      {products.map((product, index) => (
        <li data-product={product.id} key={product.id}>
          <ProductCard eager={index < eager} product={product} />
        </li>
      ))}
    </ul>
  );
}
