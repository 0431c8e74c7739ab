import { textParts } from "../../../lib/engine/text-parts.ts";
import { SafeLink } from "../controls/safe-link.tsx";
import styles from "./messages.module.css";

/** Plain text with its line breaks. Each paragraph takes its direction from its first letter. */
export function MessageText({ text }: { text: string }) {
  return (
    <p className={styles["text"]} dir="auto">
      {textParts(text).map((part, index) =>
        part.kind === "text" ? (
          part.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
          <SafeLink key={index} url={part.url}>
            {part.text}
          </SafeLink>
        ),
      )}
    </p>
  );
}
