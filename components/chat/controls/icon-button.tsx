import type { ComponentPropsWithRef, ReactNode } from "react";
import styles from "./controls.module.css";

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
