import { Icon } from "#components/ui/icon.tsx";
import { Link } from "#components/ui/link.tsx";
import visually from "#components/ui/visually.module.css";
import { brands, type CatalogueFilter, categories, colours, filterProducts } from "#lib/shop/catalogue.ts";
import { AskButton } from "../site/ask-button.tsx";
import styles from "./catalogue-results.module.css";
import { activeFilters } from "./chosen-filters.ts";
import { ProductGrid } from "./product-card.tsx";
import { type ChosenFilters, ProductFilters } from "./product-filters.tsx";

export function CatalogueResults({ filter, chosen }: { filter: CatalogueFilter; chosen: ChosenFilters }) {
  const found = filterProducts(filter);
  const active = activeFilters(chosen);
  const filters = (
    <ProductFilters choices={{ categories, brands: brands(), colours: colours() }} chosen={chosen} />
  );
  return (
    <div className={styles["layout"]}>
      <details className={styles["narrow"]}>
        <summary className={styles["summary"]}>
          Search and filter <Icon className={styles["chevron"]} name="chevron" />
        </summary>
        {filters}
      </details>
      <aside aria-label="Search and filter" className={styles["wide"]}>
        {filters}
      </aside>
      <div>
        <div className={styles["bar"]}>
          <p aria-live="polite">{found.length === 1 ? "1 product" : `${found.length} products`}</p>
          {active.length > 0 ? (
            <ul className={styles["chips"]}>
              {active.map(({ label, href }) => (
                <li key={label}>
                  <Link className={styles["chip"]} href={href} scroll={false}>
                    <span className={visually["hidden"]}>Without </span>
                    {label} <Icon name="close" size={14} />
                  </Link>
                </li>
              ))}
              <li>
                <Link href="/products" scroll={false}>
                  Clear all
                </Link>
              </li>
            </ul>
          ) : null}
        </div>
        {found.length > 0 ? (
          <>
            <h2 className={visually["hidden"]}>Products</h2>
            <ProductGrid eager={4} products={found} />
          </>
        ) : (
          <div className={styles["nothing"]}>
            <p className={styles["nothingTitle"]}>Nothing fits all of that.</p>
            <p>Take a condition away, or ask: we may know something that the filters do not.</p>
            <AskButton draft={chosen.q === "" ? undefined : `Do you have ${chosen.q}?`} variant="primary">
              Ask Wren
            </AskButton>
          </div>
        )}
      </div>
    </div>
  );
}
