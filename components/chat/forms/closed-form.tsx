import { useEffect, useRef } from "react";
import type { Collection, CollectionValue, Field } from "#lib/chat-api/collection.ts";
import { useChat } from "../chat-context.ts";
import type { Strings } from "../i18n/strings.ts";
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
    if (takesFocus) outcome.current?.focus();
  }, [takesFocus]);

  const values = new Map((current ?? asked).values.map((value) => [value.fieldId, value]));
  const fields = new Map(asked.fields.map((field) => [field.id, field]));
  const answers = (asked.request?.fields ?? []).flatMap(({ fieldId }) => {
    const field = fields.get(fieldId);
    const value = values.get(fieldId);
    return field === undefined || value === undefined ? [] : [{ field, value }];
  });
  const isAnswered = answers.some(({ value }) => value.status === "accepted");
  return (
    <>
      <p ref={outcome} className={styles["outcome"]} tabIndex={-1}>
        {current !== null && isAnswered ? t.form.saved : t.form.closed}
      </p>
      {showsAnswers && answers.length > 0 && (
        <dl className={styles["answers"]} aria-label={t.form.answers}>
          {answers.map(({ field, value }) => (
            <div key={field.id}>
              <dt>{field.label}</dt>
              <dd>
                <bdi>{shownValue(field, value, t)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function shownValue(field: Field, value: CollectionValue, t: Strings): string {
  if (value.status === "declined") return t.form.declined;
  if (value.value === null || value.status === "unknown") return t.form.notAnswered;
  return field.choices.find(({ id }) => id === value.value)?.label ?? value.value;
}
