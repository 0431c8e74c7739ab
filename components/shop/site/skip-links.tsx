import styles from "./skip-links.module.css";

/** Come first in the tab order, and skip the navigation or the whole page. */
export function SkipLinks() {
  return (
    <>
      <a className={styles["skip"]} href="#main">
        Skip to the content
      </a>
      <a className={styles["skip"]} href="#chat">
        Skip to the chat
      </a>
    </>
  );
}
