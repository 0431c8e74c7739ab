import type { ReactNode } from "react";
import { BrandMark } from "./brand-mark.tsx";
// Every page has this style sheet. Next would preload one of the error page's own everywhere, unused.
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
