import type { ReactNode } from "react";
import { Link } from "#components/ui/link.tsx";
import styles from "./page-header.module.css";

interface PageHeaderProps {
  title: ReactNode;
  /** Breadcrumbs: ancestors of this page, its parent last. */
  trail?: readonly { href: string; label: string }[];
  children?: ReactNode;
}

export function PageHeader({ title, trail = [], children }: PageHeaderProps) {
  return (
    <div className={styles["header"]}>
      {trail.length > 0 ? (
        <nav aria-label="Where you are" className={styles["trail"]}>
          <ol>
            {trail.map(({ href, label }) => (
              <li key={href}>
                <Link href={href}>{label}</Link>
              </li>
            ))}
          </ol>
        </nav>
      ) : null}
      <h1 className={styles["title"]}>{title}</h1>
      {children ? <div className={styles["lead"]}>{children}</div> : null}
    </div>
  );
}
