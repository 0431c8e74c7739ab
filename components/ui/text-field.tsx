import type { ComponentProps, ReactNode } from "react";
import styles from "./text-field.module.css";

interface TextFieldProps extends ComponentProps<"input"> {
  id: string;
  label: string;
  hint?: ReactNode;
  /** Shown and announced instead of the hint: what is wrong and how to fix it. */
  error?: string | undefined;
}

/** A labelled single-line text field. */
export function TextField({ id, label, hint, error, ...props }: TextFieldProps) {
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className={styles["field"]}>
      <label className={styles["label"]} htmlFor={id}>
        {label}
      </label>
      {hint ? (
        <p className={styles["hint"]} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      <input
        {...props}
        aria-describedby={described === "" ? undefined : described}
        aria-invalid={error ? true : undefined}
        className={styles["input"]}
        id={id}
      />
      {error ? (
        <p className={styles["error"]} id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
