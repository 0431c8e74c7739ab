import { type ReactNode, useState } from "react";
import type { Failure } from "../../../lib/engine/failure.ts";
import { pausedUntil, type Remedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { useChatContext } from "../chat-context.ts";
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
  /** Follows the sentence, in place of a waiting button. Not announced, because it changes every second. */
  countdown?: string;
  /** Further buttons, behind the remedy's own. */
  actions?: ReactNode;
  /** A button in the corner. */
  corner?: ReactNode;
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
  actions,
  corner,
}: RemedyNoteProps) {
  const { t, format } = useChatContext();
  const [shownAt] = useState(Date.now);
  const { button } = remedy;
  const until = pausedUntil({ ...failure, at: failure.at ?? shownAt }, shownAt);
  const seconds = useSecondsUntil(button !== null && repeating.includes(button) ? until : null);
  return (
    <div className={styles["note"]} data-code={failure.code}>
      <Icon name="warning" size={18} />
      <div className={styles["what"]}>
        <p>
          <span role="alert">{text ?? t.remedies[remedy.text]}</span> {countdown}{" "}
          {button !== null && onPress !== undefined && (seconds === 0 || countdown === undefined) && (
            <Button look="link" disabled={seconds > 0} onClick={() => onPress(button)}>
              {t.buttons[button]}
              {seconds > 0 && ` ${format.wait(seconds)}`}
            </Button>
          )}{" "}
          {actions}
        </p>
        {failure.hint !== null && <p>{failure.hint}</p>}
        {remedy.showsContact && <ContactLine />}
        {failure.requestId !== null && (
          <details className={styles["details"]}>
            <summary>
              {t.notes.details}
              <Icon name="down" size={14} />
            </summary>
            <RequestId id={failure.requestId} />
          </details>
        )}
      </div>
      {corner}
    </div>
  );
}
