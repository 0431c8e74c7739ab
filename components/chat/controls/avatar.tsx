import styles from "./controls.module.css";

/**
 * The first letter of a name as people see it: one grapheme, which may be an emoji of several code points.
 */
export function Avatar({
  name,
  isPerson,
  size = "small",
}: {
  name: string;
  isPerson: boolean;
  size?: "small" | "large";
}) {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return (
    <span className={styles["avatar"]} data-person={isPerson} data-size={size} aria-hidden="true">
      {first?.segment.toLocaleUpperCase() ?? "?"}
    </span>
  );
}
