import { useId } from "react";
import type { CollectionValue } from "../../../lib/chat-api/collection.ts";
import { limits } from "../../../lib/chat-api/limits.ts";
import { hasVisibleText, utf16Length } from "../../../lib/chat-api/text.ts";
import type { AnswerProblem, FormEntry } from "../../../lib/engine/state/form.ts";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { lengthText } from "../composer/counter.tsx";
import { Button } from "../controls/buttons.tsx";
import { emailInput } from "../controls/email-input.ts";
import { fill } from "../i18n/strings.ts";
import { optionName, questionName, shownValue, statusNote } from "./answers.ts";
import styles from "./forms.module.css";

export interface FormFieldProps {
  entry: FormEntry;
  /** Position in the form, from 0. */
  index: number;
  text: string;
  problem: AnswerProblem | null;
  /** True if the channel still requires this answer after a submission. */
  isMissing: boolean;
  /** Why the channel refused this answer; null if it did not. */
  refusal: string | null;
  /** The value that someone else stored meanwhile. */
  changed: CollectionValue | null;
  /**
   * True while a submission is in flight. Fields get `aria-disabled`: a `disabled` field would lose the
   * focus.
   */
  isDisabled: boolean;
  onType(text: string): void;
}

/** More options than this are shown in a `select`. */
const maxRadios = 6;

export function FormField(props: FormFieldProps) {
  const { entry, index, text, refusal, changed, onType } = props;
  const { field, required, stored } = entry;
  const chat = useChatContext();
  const { t } = chat;
  const id = useId();
  const noteId = useId();
  const statusId = useId();
  const isGroup = field.type === "choice" && field.choices.length <= maxRadios;
  const problemText = textOf(props, chat);
  const status = stored === null ? null : statusNote(field, stored, chat);
  const describedBy = status === null ? noteId : `${noteId} ${statusId}`;
  // A customer confirms a stored value that is not an answer, such as a disputed one, by giving it again.
  const formerly = stored?.status === "accepted" ? null : (stored?.value ?? null);
  const isInvalid = problemText !== null;
  const label = (
    <>
      <bdi>{questionName(field, index, chat)}</bdi>
      {!required && <small>{t.form.optional}</small>}
    </>
  );
  const notes = (
    <>
      <div className={styles["notes"]}>
        <div id={noteId}>
          {field.description !== "" && <p>{field.description}</p>}
          {problemText !== null && (
            <p className={styles["problem"]} role={refusal === null ? undefined : "alert"}>
              {problemText}
            </p>
          )}
        </div>
        {status !== null && (
          <p className={styles["status"]}>
            <span id={statusId}>{status}</span>{" "}
            {formerly !== null && text !== formerly && (
              <Button look="link" onClick={() => onType(formerly)}>
                {t.form.useTheirs}
              </Button>
            )}
          </p>
        )}
      </div>
      {changed !== null && changed.value !== null && (
        <p className={styles["changed"]} role="status">
          {fill(changed.actor === "teammate" ? t.form.changedByTeam : t.form.changedElsewhere, {
            value: shownValue(field, changed.value, chat),
          })}{" "}
          <Button look="link" onClick={() => onType(changed.value ?? "")}>
            {t.form.useTheirs}
          </Button>
        </p>
      )}
    </>
  );
  return isGroup ? (
    <fieldset className={styles["field"]} aria-describedby={describedBy}>
      <legend>{label}</legend>
      <Options {...props} id={id} isInvalid={isInvalid} />
      {notes}
    </fieldset>
  ) : (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <Control {...props} id={id} isInvalid={isInvalid} describedBy={describedBy} />
      {notes}
    </div>
  );
}

interface ControlProps extends FormFieldProps {
  id: string;
  isInvalid: boolean;
}

function Control(props: ControlProps & { describedBy: string }) {
  const { entry, text, isDisabled, onType, id, describedBy, isInvalid } = props;
  const chat = useChatContext();
  const { field, required } = entry;
  const control = {
    id,
    value: text,
    "data-field-id": field.id,
    "aria-describedby": describedBy,
    "aria-invalid": isInvalid,
    "aria-required": required,
    "aria-disabled": isDisabled,
    onChange: (event: { target: { value: string } }) => onType(event.target.value),
  };
  if (field.type === "email") return <input {...emailInput} {...control} />;
  if (field.type === "choice") {
    return (
      <select {...control}>
        <option value="">{chat.t.form.choose}</option>
        {field.choices.map((choice, index) => (
          <option key={choice.id} value={choice.id}>
            {optionName(field, index, chat)}
          </option>
        ))}
      </select>
    );
  }
  // An empty field takes the direction of its form.
  return <textarea {...control} rows={1} dir={text === "" ? undefined : "auto"} />;
}

function Options({ entry: { field, required }, text, isDisabled, onType, id, isInvalid }: ControlProps) {
  const chat = useChatContext();
  return (
    <div className={styles["options"]} data-invalid={isInvalid}>
      {field.choices.map((choice, index) => (
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
          <bdi>{optionName(field, index, chat)}</bdi>
        </label>
      ))}
      {!required && text !== "" && (
        <Button
          look="quiet"
          disabled={isDisabled}
          onClick={(event) => {
            // The focused button disappears, so the focus moves to the first option.
            event.currentTarget.parentElement?.querySelector("input")?.focus();
            onType("");
          }}
        >
          {chat.t.form.clearChoice}
        </Button>
      )}
    </div>
  );
}

/** The text of the answer's problem; null if there is none. A filled field is never called empty. */
function textOf(
  { problem, isMissing, refusal, text }: FormFieldProps,
  chat: ChatContextValue,
): string | null {
  const { t } = chat;
  switch (problem) {
    case null:
      if (!isMissing || refusal !== null) return refusal;
      return hasVisibleText(text) ? t.form.notTaken : t.form.missing;
    case "missing":
      return t.form.missing;
    case "invalid_email":
      return t.form.invalidEmail;
    case "too_long":
      return fill(t.form.tooLong, { length: lengthText(utf16Length(text), limits.answerLength, chat) });
    case "not_offered":
      return t.form.choose;
    case "not_storable":
      return t.remedies.field_refused;
  }
}
