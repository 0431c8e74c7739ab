import type { ReactNode } from "react";
import { BrandMark } from "./brand-mark.tsx";
import styles from "./message.module.css";

/** A page with a single message. */
export function Message({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles["message"]}>
      <BrandMark size={72} />
      <h1 className={styles["title"]}>{title}</h1>
      {children}
    </div>
  );
}
