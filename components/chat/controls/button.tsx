import type { ComponentPropsWithRef } from "react";
import styles from "./controls.module.css";

export interface ButtonProps extends ComponentPropsWithRef<"button"> {
  look?: "plain" | "primary" | "quiet" | "link";
}

export function Button({ look = "plain", type = "button", ...props }: ButtonProps) {
  return <button type={type} className={styles["button"]} data-look={look} {...props} />;
}
