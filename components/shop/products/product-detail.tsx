import { ButtonLink } from "#components/ui/button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { categories, markets, type ShopProduct } from "#lib/shop/catalogue.ts";
import { AskButton } from "../site/ask-button.tsx";
import { PageHeader } from "../site/page-header.tsx";
import styles from "./product-detail.module.css";
import { ProductPicture } from "./product-picture.tsx";
import { ProductPrice } from "./product-price.tsx";
import { StockBadge } from "./stock-badge.tsx";

export function ProductDetail({ product }: { product: ShopProduct }) {
  const category = categories.find(({ id }) => id === product.category);
  return (
    <article>
      <div className={styles["layout"]}>
        <div className={styles["picture"]}>
          <ProductPicture
            alt={`Picture of ${product.title}`}
            eager
            name={product.title}
            src={product.image}
          />
        </div>
        <div className={styles["text"]}>
          <PageHeader
            title={
              <span className={styles["title"]} dir="auto">
                {product.title}
              </span>
            }
            trail={[
              { href: "/products", label: "Shop" },
              { href: `/products?category=${product.category}`, label: category?.name ?? "" },
            ]}
          >
            <p>{product.summary}</p>
          </PageHeader>
          {product.brand === null ? null : (
            <p className={styles["brand"]}>
              By <bdi>{product.brand}</bdi>
            </p>
          )}
          <div className={styles["offer"]}>
            <ProductPrice large price={product.price} />
            <StockBadge product={product} />
          </div>
          {product.market === "gb" ? null : (
            <p className={styles["market"]}>
              <Icon name="globe" /> This listing is for {markets[product.market].long}, in its own currency.
            </p>
          )}
          <Options product={product} />
          <p className={styles["actions"]}>
            <AskButton draft={`I have a question about the ${product.title}`.slice(0, 400)} variant="primary">
              <Icon name="chat" /> Ask about it
            </AskButton>
            <ButtonLink href="/help/click-and-collect">Collect in a shop</ButtonLink>
          </p>
        </div>
      </div>
      <div className={styles["more"]}>
        <section aria-labelledby="about" className={styles["about"]}>
          <h2 id="about">What it is like</h2>
          {product.description.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
        <section aria-labelledby="details">
          <h2 id="details">In figures</h2>
          <dl className={styles["specs"]}>
            {product.specs.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </article>
  );
}

function Options({ product }: { product: ShopProduct }) {
  return (
    <dl className={styles["options"]}>
      <Option label="Colours" values={product.colours} />
      <Option label={product.category === "gifts" ? "Amounts and sizes" : "Sizes"} values={product.sizes} />
    </dl>
  );
}

function Option({ label, values }: { label: string; values: readonly string[] }) {
  if (values.length === 0) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <ul className={styles["values"]}>
          {values.map((value) => (
            <li key={value}>{value}</li>
          ))}
        </ul>
      </dd>
    </div>
  );
}
