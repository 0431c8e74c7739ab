import type { ComponentProps } from "react";
import styles from "./text-field.module.css";

interface TextFieldProps extends ComponentProps<"input"> {
  id: string;
  label: string;
  hint: string;
}

export function TextField({ id, label, hint, ...props }: TextFieldProps) {
  return (
    <div className={styles["field"]}>
      <label className={styles["label"]} htmlFor={id}>
        {label}
      </label>
      <p className={styles["hint"]} id={`${id}-hint`}>
        {hint}
      </p>
      <input {...props} aria-describedby={`${id}-hint`} className={styles["input"]} id={id} />
    </div>
  );
}
