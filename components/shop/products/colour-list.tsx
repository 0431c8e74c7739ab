import styles from "./colour-list.module.css";

const patches: Record<string, string> = {
  slate: "#4d5d68",
  red: "#c1442e",
  sand: "#d8b67c",
  moss: "#5d7a4c",
  lake: "#2b7d8c",
  yellow: "#e6ae35",
  black: "#2a3235",
  silver: "#c3cbce",
  white: "#f7f5ef",
};

/** Colour names, each with a swatch if there is one. */
export function ColourList({ colours }: { colours: readonly string[] }) {
  return (
    <ul className={styles["list"]}>
      {colours.map((colour) => (
        <li key={colour}>
          <svg aria-hidden="true" className={styles["patch"]} focusable="false">
            <rect fill={patches[colour] ?? "none"} height="100%" width="100%" />
          </svg>{" "}
          {colour}
        </li>
      ))}
    </ul>
  );
}
