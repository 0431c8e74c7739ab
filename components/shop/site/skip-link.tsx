import styles from "./skip-link.module.css";

/** Comes first in the tab order and skips the navigation. */
export function SkipLink() {
  return (
    <a className={styles["skip"]} href="#main">
      Skip to the content
    </a>
  );
}
