import { Link } from "#components/ui/link.tsx";
import { type CategoryId, categories } from "#lib/shop/catalogue.ts";
import styles from "./category-nav.module.css";

/** Links to the whole catalogue and to each category. `current` is undefined for the whole catalogue. */
export function CategoryNav({ current }: { current: CategoryId | undefined }) {
  return (
    <nav aria-label="Categories">
      <ul className={styles["list"]}>
        {[{ id: undefined, name: "Everything" }, ...categories].map(({ id, name }) => (
          <li key={name}>
            <Link
              aria-current={id === current ? "page" : undefined}
              className={styles["link"]}
              href={id === undefined ? "/products" : `/products?category=${id}`}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
