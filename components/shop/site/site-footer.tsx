"use client";

import { Link } from "#components/ui/link.tsx";
import { directionOf, helpPath, type Locale } from "#lib/shop/locales.ts";
import type { Store } from "#lib/shop/stores.ts";
import { BrandMark } from "./brand-mark.tsx";
import styles from "./site-footer.module.css";
import siteWords from "./site-words.json" with { type: "json" };
import { useLocale } from "./use-locale.ts";

/** The footer, in the language of the page. */
export function SiteFooter({ stores }: { stores: readonly Pick<Store, "id" | "name" | "phone">[] }) {
  const locale = useLocale();
  const words = siteWords[locale];
  return (
    <footer className={styles["footer"]} dir={directionOf(locale)} lang={locale}>
      <div className={styles["inside"]}>
        <div className={styles["brand"]}>
          <BrandMark size={44} />
          <p>{words.tagline}</p>
        </div>
        {columnsOf(locale).map((column) => (
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
          <h2 className={styles["title"]}>{words.telephone}</h2>
          <ul>
            {stores.map((store) =>
              store.phone === null ? null : (
                <li key={store.id}>
                  {store.name}{" "}
                  <a dir="ltr" href={`tel:${store.phone.replaceAll(" ", "")}`}>
                    {store.phone}
                  </a>
                </li>
              ),
            )}
          </ul>
        </div>
      </div>
      <p className={styles["small"]}>{words.invented}</p>
    </footer>
  );
}

/** Pages that exist in English only keep their address. */
function columnsOf(locale: Locale): { title: string; links: [href: string, label: string][] }[] {
  const words = siteWords[locale];
  const help = helpPath(locale);
  return [
    {
      title: words.shop,
      links: [
        ["/products?category=bikes", words.bikes],
        ["/products?category=helmets", words.helmets],
        ["/products?category=clothing", words.clothing],
        ["/products?category=luggage", words.bags],
      ],
    },
    {
      title: words.help,
      links: [
        [`${help}/delivery`, words.delivery],
        [`${help}/returns`, words.returns],
        [`${help}/warranty`, words.warranty],
        ["/help/order-tracking", words.whereIsMyOrder],
        ["/help/contact", words.talkToUs],
      ],
    },
    {
      title: "Tarn & Tread",
      links: [
        [`${help}/store-hours`, words.hours],
        [`${help}/workshop-prices`, words.workshop],
        ["/help/recycling", words.recycling],
        ["/help/privacy", words.privacy],
        ["/about", words.about],
      ],
    },
  ];
}
