import styles from "./skip-link.module.css";

/** First in the tab order: leads past the navigation. */
export function SkipLink() {
  return (
    <a className={styles["skip"]} href="#main">
      Skip to the content
    </a>
  );
}
