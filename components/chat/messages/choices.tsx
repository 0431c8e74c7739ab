import { useChatContext } from "../chat-context.ts";
import styles from "./messages.module.css";
import { offeredChoices } from "./offered-choices.ts";

export function Choices({ choices, onPick }: { choices: readonly string[]; onPick(text: string): void }) {
  const { t } = useChatContext();
  const offered = offeredChoices(choices);
  if (offered.length === 0) return null;
  return (
    <ul className={styles["choices"]} aria-label={t.choices.label}>
      {offered.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => onPick(text)}>
            <bdi>{text}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
