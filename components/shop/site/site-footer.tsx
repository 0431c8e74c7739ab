import { Link } from "#components/ui/link.tsx";
import { stores } from "#lib/shop/stores.ts";
import { BrandMark } from "./brand-mark.tsx";
import styles from "./site-footer.module.css";

const columns = [
  {
    title: "Shop",
    links: [
      ["/products?category=bikes", "Bikes"],
      ["/products?category=helmets", "Helmets"],
      ["/products?category=clothing", "Clothing"],
      ["/products?category=luggage", "Bags"],
    ],
  },
  {
    title: "Help",
    links: [
      ["/help/delivery", "Delivery"],
      ["/help/returns", "Returns"],
      ["/help/warranty", "Warranty"],
      ["/help/order-tracking", "Where is my order?"],
      ["/help/contact", "Talk to us"],
    ],
  },
  {
    title: "Tarn & Tread",
    links: [
      ["/help/store-hours", "Shops and hours"],
      ["/help/workshop-prices", "Workshop"],
      ["/help/recycling", "Recycling"],
      ["/help/privacy", "Privacy"],
      ["/about", "About this demonstration"],
    ],
  },
] as const;

export function SiteFooter() {
  return (
    <footer className={styles["footer"]}>
      <div className={styles["inside"]}>
        <div className={styles["brand"]}>
          <BrandMark size={44} />
          <p>Bicycles, outdoor gear and a repair workshop, by the water since 2009.</p>
        </div>
        {columns.map((column) => (
          <nav aria-label={column.title} key={column.title}>
            <h2 className={styles["title"]}>{column.title}</h2>
            <ul>
              {column.links.map(([href, label]) => (
                <li key={href}>
                  <Link href={href}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div>
          <h2 className={styles["title"]}>Telephone</h2>
          <ul>
            {stores.map((store) =>
              store.phone === null ? null : (
                <li key={store.id}>
                  {store.name} <a href={`tel:${store.phone.replaceAll(" ", "")}`}>{store.phone}</a>
                </li>
              ),
            )}
          </ul>
        </div>
      </div>
      <p className={styles["small"]}>
        Tarn &amp; Tread is invented: nothing here can be bought, and nobody here exists.
      </p>
    </footer>
  );
}
