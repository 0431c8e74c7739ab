import styles from "./colour-list.module.css";

/** Colours by name, each with a patch of it; a name without a patch is still a name. */
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
