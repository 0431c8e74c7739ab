"use client";

import { Icon } from "#components/ui/icon.tsx";
import { Link } from "#components/ui/link.tsx";
import { directionOf, helpPath, type Locale } from "#lib/shop/locales.ts";
import { BrandMark } from "./brand-mark.tsx";
import { MenuButton } from "./menu-button.tsx";
import { NavLink } from "./nav-link.tsx";
import styles from "./site-header.module.css";
import siteWords from "./site-words.json" with { type: "json" };
import type { Theme } from "./theme.ts";
import { ThemeToggle } from "./theme-toggle.tsx";
import { useLocale } from "./use-locale.ts";

/** The header, in the language of the page. */
export function SiteHeader({ theme }: { theme: Theme | undefined }) {
  const locale = useLocale();
  const words = siteWords[locale];
  const links = linksOf(locale);
  // The menu repeats the icon's link, because the narrowest headers have no room for the account's icon.
  const menuLinks = [...links, { ...account, label: words.account }];
  return (
    <>
      <aside
        aria-label={words.goodToKnow}
        className={styles["notice"]}
        dir={directionOf(locale)}
        lang={locale}
      >
        <span className={styles["delivery"]}>
          {words.freeDelivery}
          <span aria-hidden="true"> · </span>
        </span>
        <span className={styles["wide"]}>{words.changeOfMind} · </span>
        <Link href="/about">{words.demonstration}</Link>
      </aside>
      <header className={styles["header"]} dir={directionOf(locale)} lang={locale}>
        <div className={styles["bar"]}>
          <Link className={styles["brand"]} dir="ltr" href="/">
            <BrandMark />
            <span>
              Tarn <span className={styles["and"]}>&amp;</span> Tread
            </span>
          </Link>
          <nav aria-label={words.mainMenu} className={styles["nav"]}>
            {links.map((link) => (
              <NavLink href={link.href} key={link.href}>
                {link.label}
              </NavLink>
            ))}
          </nav>
          <div className={styles["tools"]}>
            <ThemeToggle initial={theme} label={words.changeTheme} title={words.theme} />
            <Link {...account} aria-label={words.account} className={styles["sign"]} title={words.account}>
              <Icon name="person" />
            </Link>
            <MenuButton closeLabel={words.closeMenu} label={words.menu} links={menuLinks} />
          </div>
        </div>
      </header>
    </>
  );
}

/** Fetched ahead, the page would show who was signed in then. */
const account = { href: "/account", prefetch: false } as const;

function linksOf(locale: Locale) {
  const words = siteWords[locale];
  const help = helpPath(locale);
  return [
    { href: "/products", label: words.shop },
    { href: `${help}/workshop-prices`, label: words.workshop },
    { href: `${help}/store-hours`, label: words.ourShops },
    { href: help, label: words.help },
    { href: "/try", label: words.tryTheChat },
  ];
}
