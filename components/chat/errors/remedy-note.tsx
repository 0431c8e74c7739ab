import { type ReactNode, useState } from "react";
import type { Failure } from "../../../lib/engine/failure.ts";
import { pausedUntil, type Remedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { useChatContext } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
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
  /** `line` below a customer's message, `banner` in place of messages; by default a quiet note. */
  weight?: "line" | "banner";
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
  weight,
}: RemedyNoteProps) {
  const { t, format } = useChatContext();
  const [shownAt] = useState(Date.now);
  const [showsId, setShowsId] = useState(false);
  const { button } = remedy;
  const until = pausedUntil({ ...failure, at: failure.at ?? shownAt }, shownAt);
  const seconds = useSecondsUntil(button !== null && repeating.includes(button) ? until : null);
  return (
    <div className={styles["note"]} data-code={failure.code} data-weight={weight}>
      {failure.requestId === null ? (
        <Icon name="warning" size={18} />
      ) : (
        <IconButton
          label={t.notes.details}
          icon={<Icon name="warning" size={18} />}
          aria-expanded={showsId}
          onClick={() => setShowsId(!showsId)}
        />
      )}
      <div className={styles["what"]}>
        <p>
          <span role="alert">{text ?? t.remedies[remedy.text]}</span> {countdown}{" "}
          {button !== null && onPress !== undefined && (seconds === 0 || countdown === undefined) && (
            <Button disabled={seconds > 0} onClick={() => onPress(button)}>
              {t.buttons[button]}
              {seconds > 0 && ` ${format.wait(seconds)}`}
            </Button>
          )}{" "}
          {actions}
        </p>
        {failure.hint !== null && <p>{failure.hint}</p>}
        {remedy.showsContact && <ContactLine />}
        {showsId && failure.requestId !== null && <RequestId id={failure.requestId} />}
      </div>
      {corner}
    </div>
  );
}
