import { useEffect, useRef } from "react";
import type { Collection } from "#lib/chat-api/collection.ts";
import { useChat } from "../chat-context.ts";
import { questionsOf, shownAnswer } from "./answers.ts";
import styles from "./forms.module.css";

export interface ClosedFormProps {
  asked: Collection;
  /** The collection as it is now; null when nobody knows. */
  current: Collection | null;
  /** False for a form that was asked for again: the answers stand there. */
  showsAnswers: boolean;
  /** The form was open until now: the focus would be lost with its button. */
  takesFocus: boolean;
}

export function ClosedForm({ asked, current, showsAnswers, takesFocus }: ClosedFormProps) {
  const { t } = useChat();
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Nobody has the focus when it was in the form that has gone. Who writes elsewhere meanwhile goes on there.
    if (takesFocus && document.activeElement === document.body) outcome.current?.focus();
  }, [takesFocus]);

  const answers = questionsOf(asked, (current ?? asked).values).filter(({ value }) => value !== null);
  const isAnswered = answers.some(({ value }) => value?.status === "accepted");
  return (
    <>
      <p ref={outcome} className={styles["outcome"]} tabIndex={-1}>
        {current !== null && isAnswered ? t.form.saved : t.form.closed}
      </p>
      {showsAnswers && answers.length > 0 && (
        <dl className={styles["answers"]} aria-label={t.form.answers}>
          {answers.map((answer) => (
            <div key={answer.field.id}>
              <dt>{answer.field.label}</dt>
              <dd>
                <bdi>{shownAnswer(answer, t)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
