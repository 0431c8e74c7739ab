import styles from "./colour-list.module.css";

/** Colour names, each with a swatch if there is one. */
export function ColourList({ colours }: { colours: readonly string[] }) {
  return (
    <ul className={styles["list"]}>
      {colours.map((colour) => (
        <li key={colour}>
          <span className={styles["patch"]} data-colour={colour} /> {colour}
        </li>
      ))}
    </ul>
  );
}
