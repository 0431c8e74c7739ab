import styles from "./controls.module.css";

/** A short word after a single letter and a hyphen. */
const word = /(?<![\p{L}\p{N}-])(\p{L}-\p{L}{1,12})(?!\p{L})/u;

/** Text in which no line ends with the "e-" of "e-mail". CSS cannot prevent that break by itself. */
export function WholeWords({ text }: { text: string }) {
  return text.split(word).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
      <span key={index} className={styles["whole"]}>
        {part}
      </span>
    ),
  );
}
