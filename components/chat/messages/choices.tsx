import { useChatContext } from "../chat-context.ts";
import styles from "./messages.module.css";
import { offeredChoices } from "./offered-choices.ts";

export interface ChoicesProps {
  /** The list's name; by default that of a message's choices. */
  label?: string;
  look?: "choices" | "suggestions";
  choices: readonly string[];
  onPick(text: string): void;
}

export function Choices({ label, look = "choices", choices, onPick }: ChoicesProps) {
  const { t } = useChatContext();
  const offered = offeredChoices(choices);
  if (offered.length === 0) return null;
  return (
    <ul className={styles[look]} aria-label={label ?? t.choices.label}>
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
