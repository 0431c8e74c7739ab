import { limits } from "../../../lib/chat-api/limits.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { useShell } from "../chat-context.ts";
import styles from "./messages.module.css";

/** A longer list is content rather than quick replies; the composer accepts any answer. */
const maxChoices = 24;

/** Quick replies. Sent verbatim (docs/chat-api.md, "Message"), so those that cannot be sent are left out. */
export function Choices({ choices, onPick }: { choices: readonly string[]; onPick(text: string): void }) {
  const { t } = useShell();
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
