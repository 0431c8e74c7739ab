import { limits } from "../../../lib/chat-api/limits.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { useChatContext } from "../chat-context.ts";
import { Icon, type IconName } from "../controls/icons.tsx";
import styles from "./messages.module.css";

export interface ChoicesProps {
  /** The list's name; by default that of a message's choices. */
  label?: string;
  look?: "choices" | "suggestions";
  choices: readonly string[];
  /** An icon for each choice. */
  icons?: readonly IconName[] | undefined;
  onPick(text: string): void;
}

export function Choices({ label, look = "choices", choices, icons, onPick }: ChoicesProps) {
  const { t } = useChatContext();
  const offered = offeredChoices(choices);
  if (offered.length === 0) return null;
  const iconOf = (text: string) => {
    const name = icons?.[choices.indexOf(text)];
    return name && <Icon name={name} />;
  };
  return (
    <ul className={styles[look]} aria-label={label ?? t.choices.label}>
      {offered.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => onPick(text)}>
            {iconOf(text)}
            <bdi>{text}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A choice is sent verbatim (docs/chat-api.md, "Message"), so those that cannot be sent are left out. */
export function offeredChoices(choices: readonly string[]): string[] {
  return [...new Set(choices)].filter(
    (text) => hasVisibleText(text) && text.length <= limits.messageTextLength,
  );
}
