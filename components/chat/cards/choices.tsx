import { limits } from "#lib/chat-api/limits.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";
import { useChat } from "../chat-context.ts";
import styles from "./cards.module.css";

/** More than these are a list, not replies to pick; the composer takes any of them. */
const maxChoices = 24;

/** Replies to pick. One is sent as it stands (specification, "Message"), so what cannot be sent is not offered. */
export function Choices({ choices, onPick }: { choices: readonly string[]; onPick(text: string): void }) {
  const { t } = useChat();
  const offered = [...new Set(choices)]
    .filter((text) => hasVisibleText(text) && text.length <= limits.messageTextLength)
    .slice(0, maxChoices);
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
