import { useEffect, useRef, useState } from "react";
import type { Collection } from "../../../lib/chat-api/collection.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { formEntries } from "../../../lib/engine/state/form.ts";
import { formEnd } from "../../../lib/engine/state/form-selectors.ts";
import { modeOf } from "../../../lib/engine/state/selectors.ts";
import { useChatContext, useChatState, useConversation } from "../chat-context.ts";
import { Button } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { rightToLeft } from "../i18n/strings.ts";
import { questionName, shownAnswer } from "./answers.ts";
import styles from "./forms.module.css";
import { OpenForm } from "./open-form.tsx";

export interface FormCardProps {
  /** The collection when the form was requested. */
  asked: Collection;
  /** When it was requested; null if unknown. */
  askedAt: string | null;
  /** The text of the message that carries the form, if one does. */
  above?: string;
  /** False if a later form has replaced this one. */
  isLatest: boolean;
}

/** A form in the conversation: fields while it is open, afterwards its outcome. */
export function FormCard({ asked, askedAt, above = "", isLatest }: FormCardProps) {
  const { t } = useChatContext();
  const state = useConversation();
  const { request } = asked;
  const current = state.collection;
  const canBeOpen = isLatest && modeOf(state) !== "resolved";
  /** The form's outcome is unknown until the collection has been read. */
  const isUnknown = canBeOpen && current === null;
  const isOpen = canBeOpen && current !== null && request !== null && current.request?.id === request.id;
  const [seen, setSeen] = useState({ isOpen, wasOpen: false });
  if (seen.isOpen !== isOpen) setSeen({ isOpen, wasOpen: seen.wasOpen || seen.isOpen });
  const isLastWord =
    request !== null &&
    state.pending.length === 0 &&
    state.messages.at(-1)?.collection?.request?.id === request.id;

  if (request === null) return null;
  const title = hasVisibleText(request.purpose) ? request.purpose : t.form.fillIn;
  const words = [request.purpose, ...asked.fields.flatMap(({ label, description }) => [label, description])];
  return (
    // A landmark needs a name that is unique on the page, so a replaced form is no landmark.
    <section
      className={styles["form"]}
      dir={directionOfText(words)}
      aria-label={isLatest ? `${t.form.label}: ${title}` : undefined}
      data-open={isOpen}
    >
      {!plain(above).includes(plain(title)) && (
        <p className={styles["purpose"]}>
          {isOpen && <Icon name="edit" size={18} />}
          <bdi>{title}</bdi>
        </p>
      )}
      {isOpen && <OpenForm collection={current} askedAt={askedAt} isCurrent={isLastWord || seen.wasOpen} />}
      {isUnknown && <ReadingNote />}
      {!isOpen && !isUnknown && (
        <ClosedForm
          asked={asked}
          askedAt={askedAt}
          current={current}
          isLatest={isLatest}
          takesFocus={seen.wasOpen && canBeOpen}
        />
      )}
    </section>
  );
}

/** The sentence without case, spacing and final punctuation, for comparison. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replace(/[\p{P}\s]+$/u, "")
    .trim();
}

/**
 * The direction of most letters in a form's texts, so that the whole form has one direction whatever the
 * page's is. With `dir="auto"` each label would have its own. Undefined if there are no letters.
 */
export function directionOfText(texts: readonly string[]): "ltr" | "rtl" | undefined {
  const text = texts.join(" ");
  const letters = count(text, /\p{L}/u);
  if (letters === 0) return undefined;
  return count(text, rightToLeft) > letters / 2 ? "rtl" : "ltr";
}

function count(text: string, pattern: RegExp): number {
  return text.match(new RegExp(pattern, "gu"))?.length ?? 0;
}

/** Shown in place of a form while the chat's collection is unknown. */
export function ReadingNote() {
  const { chat, t } = useChatContext();
  const hasFailed = useChatState(chat, ({ forms }) => forms.reading === "failed");
  if (!hasFailed)
    return (
      <p className={styles["note"]} role="status">
        {t.form.loading}
      </p>
    );
  return (
    <p role="alert">
      {t.form.readFailed}{" "}
      <Button look="link" onClick={chat.readForm}>
        {t.buttons.try_again}
      </Button>
    </p>
  );
}

interface ClosedFormProps extends FormCardProps {
  /** The collection now; null if it is unknown. */
  current: Collection | null;
  /** True if the form has just closed: the focus would be lost with its button. */
  takesFocus: boolean;
}

/** The outcome of a form: its answers, or that it was cancelled, skipped or closed by the channel. */
function ClosedForm({ asked, askedAt, current, isLatest, takesFocus }: ClosedFormProps) {
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
