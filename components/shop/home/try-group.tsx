import type { ReactNode } from "react";
import styles from "./try-list.module.css";

/** A part of the page of things to try. */
export function TryGroup({
  id,
  title,
  about,
  children,
}: {
  id: string;
  title: string;
  about: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className={styles["group"]}>
      <div className={styles["about"]}>
        <h2 className={styles["title"]} id={id}>
          {title}
        </h2>
        <p>{about}</p>
      </div>
      {children}
    </section>
  );
}
