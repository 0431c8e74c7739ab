import { useState } from "react";
import type { Failure } from "../../../lib/engine/failure.ts";
import { pausedUntil, type Remedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icons.tsx";
import { ContactLine } from "./contact-line.tsx";
import styles from "./errors.module.css";
import { RequestId } from "./request-id.tsx";
import { useSecondsUntil } from "./use-seconds-until.ts";

export interface RemedyNoteProps {
  failure: Failure;
  /** Absent if no button could do anything here. */
  onPress?: ((button: RemedyButton) => void) | undefined;
  /** Replaces the error code's own remedy. */
  remedy?: Remedy | undefined;
  /** Replaces the remedy's sentence. */
  text?: string | undefined;
  /** Follows the sentence. Not announced, because it changes every second. */
  countdown?: string;
}

/** The buttons that send the same request again, which the server may have asked to delay. */
const repeating: readonly RemedyButton[] = ["try_again", "ask_again"];

/** Explains a failure, announces it, and offers the button of its remedy. */
export function RemedyNote({
  failure,
  onPress,
  remedy = remedyFor(failure),
  text,
  countdown,
}: RemedyNoteProps) {
  const { t, format } = useChat();
  const [shownAt] = useState(Date.now);
  const { button } = remedy;
  const until = pausedUntil({ ...failure, at: failure.at ?? shownAt }, shownAt);
  const seconds = useSecondsUntil(button !== null && repeating.includes(button) ? until : null);
  return (
    <div className={styles["note"]} data-code={failure.code}>
      <div className={styles["what"]}>
        <Icon name="warning" size={18} />
        <p>
          <span role="alert">{text ?? t.remedies[remedy.text]}</span> {countdown}
        </p>
      </div>
      {button !== null && onPress !== undefined && (
        <Button look="primary" disabled={seconds > 0} onClick={() => onPress(button)}>
          <span>
            {t.buttons[button]}
            {seconds > 0 && countdown === undefined && ` ${format.wait(seconds)}`}
          </span>
        </Button>
      )}
      {failure.hint !== null && <p>{failure.hint}</p>}
      {remedy.showsContact && <ContactLine />}
      {failure.requestId !== null && (
        <details className={styles["details"]}>
          <summary>{t.notes.details}</summary>
          <RequestId id={failure.requestId} />
        </details>
      )}
    </div>
  );
}
