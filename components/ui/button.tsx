import type { ComponentProps } from "react";
import styles from "./button.module.css";
import { classNames } from "./class-names.ts";
import { Link } from "./link.tsx";

interface Look {
  /** `primary` once per view; `secondary` for others. */
  variant?: "primary" | "secondary" | undefined;
  size?: "medium" | "small" | undefined;
}

function lookOf({ variant = "secondary", size = "medium" }: Look): string {
  return classNames(styles["button"], styles[variant], size === "small" && styles["small"]);
}

export function Button({ variant, size, type = "button", ...props }: ComponentProps<"button"> & Look) {
  return <button {...props} className={lookOf({ variant, size })} type={type} />;
}

/** A link that looks like a button: for navigation, never for actions. */
export function ButtonLink({ variant, size, ...props }: ComponentProps<typeof Link> & Look) {
  return <Link {...props} className={lookOf({ variant, size })} />;
}
