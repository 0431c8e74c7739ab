import type { ComponentProps } from "react";
import styles from "./controls.module.css";

/** A text for screen readers only. */
export function Hidden(props: ComponentProps<"span">) {
  return <span className={styles["hidden"]} {...props} />;
}
