import { useEffect, useRef } from "react";
import type { Collection } from "../../../lib/chat-api/collection.ts";
import { formEntries } from "../../../lib/engine/state/form.ts";
import { formEnd } from "../../../lib/engine/state/form-selectors.ts";
import { useChatContext, useChatState } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { questionName, shownAnswer } from "./answers.ts";
import styles from "./forms.module.css";

export interface ClosedFormProps {
  asked: Collection;
  /** When the form was requested; null if unknown. */
  askedAt: string | null;
  /** The collection now; null if it is unknown. */
  current: Collection | null;
  /** False if a later form, which shows the answers, has replaced this one. */
  isLatest: boolean;
  /** True if the form has just closed: the focus would be lost with its button. */
  takesFocus: boolean;
}

/** The outcome of a form: its answers, or that it was cancelled, skipped or closed by the channel. */
export function ClosedForm({ asked, askedAt, current, isLatest, takesFocus }: ClosedFormProps) {
  const context = useChatContext();
  const { form, delivery } = context.t;
  const forms = useChatState(context.chat, (state) => state.forms);
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // `body` is the active element if the focus was in the form. A customer who types elsewhere keeps the
    // focus.
    if (takesFocus && document.activeElement === document.body) outcome.current?.focus();
  }, [takesFocus]);

  const questions = formEntries({ ...asked, values: current?.values ?? [] });
  const answers = questions.map(({ stored }) => stored);
  const end = formEnd(forms, asked.request?.id ?? "", answers, askedAt);
  // The agent asks again when the answers did not help: no time for thanks.
  const saved = isLatest ? form.saved : delivery.stored;
  const says = end === null ? form.closed : { save: saved, skip: form.skipped, cancel: form.cancelled }[end];
  return (
    <>
      <p ref={outcome} className={styles["outcome"]} data-end={end} tabIndex={-1}>
        {end === "save" && <Icon name="check" size={18} />}
        {says}
      </p>
      {end === "save" && isLatest && (
        <dl className={styles["answers"]} aria-label={form.answers}>
          {questions.map((question, index) => (
            <div key={question.field.id}>
              <dt>{questionName(question.field, index, context)}</dt>
              <dd>{shownAnswer(question, context)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
