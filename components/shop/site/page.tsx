import type { ReactNode } from "react";
import styles from "./page.module.css";

/** Content between the page's margins; bands of colour lie outside it. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles["page"]}>{children}</div>;
}
