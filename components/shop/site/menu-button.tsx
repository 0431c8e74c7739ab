"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { Icon } from "#components/ui/icon.tsx";
import { NavLink } from "./nav-link.tsx";
import styles from "./site-header.module.css";

interface MenuButtonProps {
  links: readonly { href: string; label: string; prefetch?: false }[];
  label: string;
  closeLabel: string;
}

/** The navigation on narrow screens: a popover, which works before scripts have loaded. */
export function MenuButton({ links, label, closeLabel }: MenuButtonProps) {
  const menu = useRef<HTMLElement>(null);
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new pathname closes the menu
  useEffect(() => {
    menu.current?.hidePopover();
  }, [pathname]);

  return (
    <>
      <button aria-label={label} className={styles["open"]} popoverTarget="site-menu" type="button">
        <Icon name="menu" size={24} />
      </button>
      <nav aria-label={label} className={styles["menu"]} id="site-menu" popover="auto" ref={menu}>
        <button
          aria-label={closeLabel}
          className={styles["close"]}
          popoverTarget="site-menu"
          popoverTargetAction="hide"
          type="button"
        >
          <Icon name="close" size={24} />
        </button>
        {links.map(({ label, ...link }) => (
          <NavLink {...link} key={link.href}>
            {label}
          </NavLink>
        ))}
      </nav>
    </>
  );
}
