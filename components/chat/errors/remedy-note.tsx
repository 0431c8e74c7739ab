import { useState } from "react";
import type { Failure } from "#lib/conversation/failure.ts";
import { buttonDelay, type RemedyButton, remedyFor } from "#lib/conversation/remedies.ts";
import { useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon, type IconName } from "../controls/icons.tsx";
import { ContactLine } from "./contact-line.tsx";
import styles from "./errors.module.css";
import { RequestId } from "./request-id.tsx";
import { useSecondsUntil } from "./use-seconds-until.ts";

export interface RemedyNoteProps {
  failure: Failure;
  onPress(button: RemedyButton): void;
  /** What else can be done with the thing that failed. */
  others?: readonly { label: string; icon: IconName; onPress(): void }[];
}

/** What happened, what was done about it, and the one button that helps. */
export function RemedyNote({ failure, onPress, others = [] }: RemedyNoteProps) {
  const { t, format } = useChat();
  const [shownAt] = useState(Date.now);
  const delay = buttonDelay(failure);
  const seconds = useSecondsUntil(delay === 0 ? null : shownAt + delay);
  const { text, button, showsContact } = remedyFor(failure);
  return (
    <div className={styles["note"]} data-code={failure.code}>
      <Icon name="warning" size={18} />
      <div className={styles["body"]}>
        <p>{t.remedies[text]}</p>
        {showsContact && <ContactLine />}
        <div className={styles["actions"]}>
          {button !== null && (
            <Button look="primary" disabled={seconds > 0} onClick={() => onPress(button)}>
              <span>
                {t.buttons[button]}
                {seconds > 0 && ` ${format.wait(seconds)}`}
              </span>
            </Button>
          )}
          {others.map(({ label, icon, onPress: act }) => (
            <IconButton key={icon} label={label} icon={<Icon name={icon} size={18} />} onClick={act} />
          ))}
        </div>
        {failure.requestId !== null && <RequestId id={failure.requestId} />}
      </div>
    </div>
  );
}
