import type { ReactNode } from "react";
import styles from "./page.module.css";

/** Content within the page's margins; full-width bands go outside it. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles["page"]}>{children}</div>;
}
