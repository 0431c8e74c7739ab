import type { ComponentPropsWithRef, ReactNode } from "react";
import styles from "./controls.module.css";

export interface ButtonProps extends ComponentPropsWithRef<"button"> {
  look?: "plain" | "primary" | "quiet" | "link";
}

export function Button({ look = "plain", type = "button", ...props }: ButtonProps) {
  return <button type={type} className={styles["button"]} data-look={look} {...props} />;
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "children" | "aria-label"> {
  /** The accessible name, also shown as a tooltip. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ label, icon, type = "button", className, ...props }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={className === undefined ? styles["icon"] : `${styles["icon"]} ${className}`}
      {...props}
    >
      {icon}
    </button>
  );
}
