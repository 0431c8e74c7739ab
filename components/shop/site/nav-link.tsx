"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import styles from "./nav-link.module.css";

/** A link of the navigation, which knows when it leads to the page that is open or to one above it. */
export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const pathname = usePathname();
  const current = pathname === href ? "page" : pathname.startsWith(`${href}/`) ? "true" : undefined;
  return (
    <Link aria-current={current} className={styles["link"]} href={href}>
      {children}
    </Link>
  );
}
