import suggestions from "#lib/shop/suggestions.json" with { type: "json" };
import { AskButton } from "../site/ask-button.tsx";
import styles from "./ask-band.module.css";

/** Questions that open the chat and show what it can do. */
export function AskBand() {
  return (
    <section aria-labelledby="ask-title" className={styles["band"]}>
      <h2 className={styles["title"]} id="ask-title">
        Ask Wren
      </h2>
      <p>
        Our automatic assistant knows the catalogue, the help pages and your order, and says so when it does
        not.
      </p>
      <ul className={styles["questions"]}>
        {suggestions.home.map((question) => (
          <li key={question}>
            <AskButton draft={question}>{question}</AskButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
