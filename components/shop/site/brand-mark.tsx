import styles from "./brand-mark.module.css";

/** The shop's logo: a peak and a tarn inside a wheel. */
export function BrandMark({ size = 36 }: { size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className={styles["mark"]}
      focusable="false"
      height={size}
      viewBox="0 0 48 48"
      width={size}
    >
      <circle className={styles["tyre"]} cx="24" cy="24" r="21.5" />
      <path className={styles["peak"]} d="M7.5 29 19 12.5l5.5 7.5 4-4.5L40.5 29z" />
      <path className={styles["snow"]} d="m19 12.5 5.5 7.5-2.8 1.5-2.7-2.5-2.7 3.5-2-2.8z" />
      <path className={styles["tarn"]} d="M6.5 29.5h35A17.8 17.8 0 0 1 24 42 17.8 17.8 0 0 1 6.5 29.5z" />
      <path className={styles["ripple"]} d="M15 34h12M22 38h9" />
    </svg>
  );
}
