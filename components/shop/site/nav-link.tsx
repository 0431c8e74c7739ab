"use client";

import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";
import { Link } from "#components/ui/link.tsx";
import styles from "./site-header.module.css";

/** A navigation link that marks the open page or one of its ancestors as current. */
export function NavLink({ href, ...props }: ComponentProps<typeof Link> & { href: string }) {
  const pathname = usePathname();
  const current = pathname === href ? "page" : pathname.startsWith(`${href}/`) ? "true" : undefined;
  return <Link {...props} aria-current={current} className={styles["navLink"]} href={href} />;
}
