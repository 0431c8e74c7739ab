import type { ReactNode } from "react";
import { BrandMark } from "./brand-mark.tsx";
// In a style sheet of every page: Next preloads one of its own for the error page, which is hardly ever shown.
import styles from "./page.module.css";

/** A page with a single message. */
export function Message({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles["message"]}>
      <BrandMark size={72} />
      <h1 className={styles["messageTitle"]}>{title}</h1>
      {children}
    </div>
  );
}
