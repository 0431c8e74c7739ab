import type { ReactNode } from "react";
import styles from "./controls.module.css";

/** For screen readers only. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles["hidden"]}>{children}</span>;
}
