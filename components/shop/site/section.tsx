import type { ReactNode } from "react";
import { Icon } from "#components/ui/icon.tsx";
import { Link } from "#components/ui/link.tsx";
import styles from "./section.module.css";

interface SectionProps {
  id: string;
  title: string;
  more?: { href: string; label: string };
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ id, title, more, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={styles["section"]}>
      <div className={styles["head"]}>
        <h2 className={styles["title"]} id={id}>
          {title}
        </h2>
        {more ? (
          <Link className={styles["more"]} href={more.href}>
            {more.label} <Icon className={styles["arrow"]} name="arrow" size={18} />
          </Link>
        ) : null}
      </div>
      {children}
    </section>
  );
}
