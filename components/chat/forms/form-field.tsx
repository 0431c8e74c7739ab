import { type ReactNode, useId } from "react";
import type { CollectionValue } from "#lib/chat-api/collection.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { utf16Length } from "#lib/chat-api/text.ts";
import type { AnswerFault, FormEntry } from "#lib/conversation/form.ts";
import { type ChatContextValue, useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { counted, fill } from "../i18n/strings.ts";
import styles from "./forms.module.css";

export interface FormFieldProps {
  entry: FormEntry;
  text: string;
  fault: AnswerFault | null;
  /** The server says that this answer is still wanted. */
  isMissing: boolean;
  /** What was stored meanwhile by somebody else. */
  changed: CollectionValue | null;
  /** The answers are on their way. Nothing is `disabled`: that would take the focus away. */
  isDisabled: boolean;
  onType(text: string): void;
}

/** More options than these are chosen from a list that unfolds. */
const mostRadios = 6;

export function FormField(props: FormFieldProps) {
  const { entry, text, fault, isMissing, changed, onType } = props;
  const { field, required, stored } = entry;
  const chat = useChat();
  const { t } = chat;
  const id = useId();
  const noteId = useId();
  const isGroup = field.type === "choice" && field.choices.length <= mostRadios;
  const faultText = fault === null ? (isMissing ? t.form.missing : null) : textOfFault(fault, text, chat);
  const control = { id, noteId, isInvalid: faultText !== null };
  const label = (
    <>
      <bdi>{field.label}</bdi>
      <small>{required ? t.form.required : t.form.optional}</small>
    </>
  );
  return (
    <Frame label={label} isGroup={isGroup} id={id} noteId={noteId}>
      <Control {...props} {...control} isGroup={isGroup} />
      <div id={noteId} className={styles["notes"]}>
        {field.description !== "" && <p dir="auto">{field.description}</p>}
        {stored?.status === "disputed" && <p>{t.form.disputed}</p>}
        {faultText !== null && <p className={styles["fault"]}>{faultText}</p>}
      </div>
      {changed !== null && changed.value !== null && (
        <p className={styles["changed"]} role="status">
          {fill(changed.actor === "teammate" ? t.form.changedByTeam : t.form.changedElsewhere, {
            value: field.choices.find((choice) => choice.id === changed.value)?.label ?? changed.value,
          })}
          <Button look="quiet" onClick={() => onType(changed.value ?? "")}>
            {t.form.useTheirs}
          </Button>
        </p>
      )}
    </Frame>
  );
}

interface FrameProps {
  label: ReactNode;
  isGroup: boolean;
  id: string;
  noteId: string;
  children: ReactNode;
}

function Frame({ label, isGroup, id, noteId, children }: FrameProps) {
  if (!isGroup) {
    return (
      <div className={styles["field"]}>
        <label htmlFor={id}>{label}</label>
        {children}
      </div>
    );
  }
  return (
    <fieldset className={styles["field"]} aria-describedby={noteId}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}

interface ControlProps extends FormFieldProps {
  id: string;
  noteId: string;
  isInvalid: boolean;
  isGroup: boolean;
}

function Control({ entry, text, isDisabled, onType, id, noteId, isInvalid, isGroup }: ControlProps) {
  const { t } = useChat();
  const { field, required } = entry;
  const shared = {
    "data-field-id": field.id,
    "aria-invalid": isInvalid,
    "aria-required": required,
    "aria-disabled": isDisabled,
  };
  if (isGroup) {
    return (
      <div className={styles["options"]}>
        {field.choices.map((choice) => (
          <label key={choice.id}>
            <input
              type="radio"
              name={id}
              value={choice.id}
              checked={text === choice.id}
              data-field-id={field.id}
              aria-disabled={isDisabled}
              required={required}
              onChange={() => onType(choice.id)}
            />
            <bdi>{choice.label}</bdi>
          </label>
        ))}
        {!required && text !== "" && (
          <Button
            look="quiet"
            disabled={isDisabled}
            onClick={(event) => {
              // The button goes away: the focus stays with the question.
              event.currentTarget.parentElement?.querySelector("input")?.focus();
              onType("");
            }}
          >
            {t.form.clearChoice}
          </Button>
        )}
      </div>
    );
  }
  const described = { id, "aria-describedby": noteId, ...shared };
  if (field.type === "choice") {
    return (
      <select {...described} value={text} onChange={(event) => onType(event.target.value)}>
        <option value="">{t.form.choose}</option>
        {field.choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  }
  if (field.type === "email") {
    return (
      <input
        {...described}
        type="email"
        inputMode="email"
        autoComplete="email"
        spellCheck={false}
        dir="ltr"
        value={text}
        onChange={(event) => onType(event.target.value)}
      />
    );
  }
  return (
    <textarea
      {...described}
      rows={1}
      dir="auto"
      value={text}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

function textOfFault(fault: AnswerFault, text: string, { t, format }: ChatContextValue): string {
  switch (fault) {
    case "missing":
      return t.form.missing;
    case "invalid_email":
      return t.form.invalidEmail;
    case "too_long":
      return counted(t.form.tooLong, utf16Length(text) - limits.answerLength, format);
    case "not_offered":
      return t.form.choose;
    case "not_storable":
      return t.remedies.field_refused;
  }
}
