import { Icon } from "#components/ui/icon.tsx";
import { Link } from "#components/ui/link.tsx";
import { BrandMark } from "./brand-mark.tsx";
import { MenuButton } from "./menu-button.tsx";
import { NavLink } from "./nav-link.tsx";
import styles from "./site-header.module.css";
import type { Theme } from "./theme.ts";
import { ThemeToggle } from "./theme-toggle.tsx";

const links = [
  { href: "/products", label: "Shop" },
  { href: "/help/workshop-prices", label: "Workshop" },
  { href: "/help/store-hours", label: "Our shops" },
  { href: "/help", label: "Help" },
  { href: "/try", label: "Try the chat" },
] as const;

/** The menu repeats the icon's link, because the narrowest headers have no room for the account's icon. */
const menuLinks = [...links, { href: "/account", label: "Your account" }] as const;

export function SiteHeader({ theme }: { theme: Theme | undefined }) {
  return (
    <>
      <aside aria-label="Good to know" className={styles["notice"]}>
        Free UK delivery from £50<span aria-hidden="true"> · </span>
        <span className={styles["wide"]}>60 days to change your mind · </span>
        <Link href="/about">A demonstration shop</Link>
      </aside>
      <header className={styles["header"]}>
        <div className={styles["bar"]}>
          <Link className={styles["brand"]} href="/">
            <BrandMark />
            <span>
              Tarn <span className={styles["and"]}>&amp;</span> Tread
            </span>
          </Link>
          <nav aria-label="Main" className={styles["nav"]}>
            {links.map((link) => (
              <NavLink href={link.href} key={link.href}>
                {link.label}
              </NavLink>
            ))}
          </nav>
          <div className={styles["tools"]}>
            <ThemeToggle initial={theme} />
            <Link aria-label="Your account" className={styles["sign"]} href="/account" title="Your account">
              <Icon name="person" />
            </Link>
            <MenuButton links={menuLinks} />
          </div>
        </div>
      </header>
    </>
  );
}
