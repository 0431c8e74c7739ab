import { type SubmitEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { Collection } from "../../../lib/chat-api/collection.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { generalRemedy, pausedUntil, type RemedyButton } from "../../../lib/engine/remedies.ts";
import {
  answerText,
  changedMeanwhile,
  type FormEntry,
  formEntries,
  type TypedAnswers,
} from "../../../lib/engine/state/form.ts";
import {
  formProblemsOf,
  isFormComplete,
  refusedFieldOf,
  typedAnswersOf,
} from "../../../lib/engine/state/form-selectors.ts";
import { type FormProgress, formStateOf } from "../../../lib/engine/state/forms-state.ts";
import { takesMessages } from "../../../lib/engine/state/selectors.ts";
import { useChatContext, useChatState } from "../chat-context.ts";
import { Button } from "../controls/buttons.tsx";
import controls from "../controls/controls.module.css";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { useSecondsUntil, useWaitingLabel, WaitingStatus } from "../errors/waiting.tsx";
import { counted, fill } from "../i18n/strings.ts";
import { FormField } from "./form-field.tsx";
import styles from "./forms.module.css";
import { useBeginningInView, useFocusInView } from "./in-view.ts";

export interface OpenFormProps {
  collection: Collection;
  /** When the form was requested; null if unknown. */
  askedAt: string | null;
  /** True for the customer's current question; false for a form further up or in a chat that is loading. */
  isCurrent: boolean;
}

export function OpenForm({ collection, askedAt, isCurrent }: OpenFormProps) {
  const context = useChatContext();
  const { chat, t } = context;
  const form = useRef<HTMLFormElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useBeginningInView(form, isCurrent);
  const forms = useChatState(chat, (state) => state.forms);
  const shown = { conversation: { collection }, forms };
  const { request, missing, pendingAction } = collection;
  const entries = formEntries(collection);
  const isForTeam = pendingAction === "handoff";
  const typed = typedAnswersOf(shown);
  const { progress, typedSince } = formStateOf(forms, request?.id ?? "");
  const isComplete = isFormComplete(shown, askedAt);
  /**
   * Fields that the channel still requires. Its own message about the answers replaces the notes on the
   * fields.
   */
  const stillMissing = progress.state === "saved" && collection.error === null ? missing : [];
  const problems = formProblemsOf(shown);
  const isSending = progress.state === "sending";
  const refusedField = isSending || problems.size > 0 ? null : refusedFieldOf(shown);
  const waiting = progress.state === "sending" ? progress.waiting : null;
  const waitingLabel = useWaitingLabel(waiting);
  const failed = progress.state === "failed" ? progress.failure : null;
  const paused = useMemo(() => failed && pausedUntil(failed, Date.now()), [failed]);
  /** No button sends during a submission, nor during a wait that the server asked for. */
  const isHeld = useSecondsUntil(paused) > 0 || isSending;
  const isClosed = useChatState(chat, ({ conversation }) => !takesMessages(conversation));
  const isDisabled = isSending || isClosed;
  useFocusInView(form, end, failed);
  useSubmissionOver(progress, () => {
    // A customer who has left the form meanwhile keeps the focus there.
    if (refusedField !== null && form.current?.matches(":focus-within"))
      focusField(form.current, refusedField);
  });

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    if (isHeld) return;
    const [first] = chat.submitForm().keys();
    if (first !== undefined) focusField(form.current, first);
  }

  function press(button: RemedyButton): void {
    if (button === "try_again") chat.retryForm();
    else focusField(form.current, refusedField);
  }

  const verb = isComplete ? t.form.saveAgain : isForTeam ? t.form.sendToTeam : t.form.save;
  return (
    <form ref={form} className={styles["fields"]} noValidate onSubmit={onSubmit}>
      {isForTeam && <p className={styles["note"]}>{t.form.forTeam}</p>}
      {entries.length > maxWithoutProgress && <AnsweredCount entries={entries} typed={typed} />}
      {entries.map((entry, index) => {
        const { id } = entry.field;
        const text = answerText(entry, typed);
        return (
          <FormField
            key={id}
            entry={entry}
            index={index}
            text={text}
            problem={problems.get(id) ?? null}
            isMissing={stillMissing.includes(id)}
            refusal={id === refusedField ? (collection.error ?? t.form.notTaken) : null}
            changed={changedMeanwhile(entry, typed, typedSince)}
            isDisabled={isDisabled}
            onType={(changed) => isDisabled || chat.answerForm(id, changed)}
          />
        );
      })}
      {!isClosed && (
        <div ref={end} className={styles["end"]}>
          <Outcome
            collection={collection}
            progress={progress}
            isComplete={isComplete}
            toCheck={problems.size + stillMissing.length}
            isSaidAbove={refusedField !== null}
            onPress={press}
          />
          <WaitingStatus waiting={waiting} />
          <FormActions
            verb={isSending ? (waitingLabel ?? t.delivery.sending) : verb}
            isSending={isSending}
            isHeld={isHeld}
            request={request}
            hasTyped={typed.size > 0}
          />
        </div>
      )}
    </form>
  );
}

/** Calls `onOver` when a submission is over, whatever its outcome. */
function useSubmissionOver({ state }: FormProgress, onOver: () => void): void {
  const wasSending = useRef(false);
  const onEnd = useEffectEvent(onOver);
  useEffect(() => {
    if (wasSending.current && state !== "sending") onEnd();
    wasSending.current = state === "sending";
  }, [state]);
}

/** A form with more fields shows how many have an answer. */
const maxWithoutProgress = 8;

function AnsweredCount({ entries, typed }: { entries: readonly FormEntry[]; typed: TypedAnswers }) {
  const { t, format } = useChatContext();
  const answered = entries.filter((entry) => hasVisibleText(answerText(entry, typed))).length;
  const text = fill(t.form.progress, {
    answered: format.number(answered),
    total: format.number(entries.length),
  });
  return (
    <div className={styles["progress"]}>
      <progress className={controls["progress"]} aria-label={text} value={answered} max={entries.length} />
      <span aria-hidden="true">{text}</span>
    </div>
  );
}

interface OutcomeProps {
  collection: Collection;
  progress: FormProgress;
  isComplete: boolean;
  /** How many fields have a note. */
  toCheck: number;
  /** True if the refused field shows the reason. */
  isSaidAbove: boolean;
  onPress(button: RemedyButton): void;
}

function Outcome({ collection, progress, isComplete, toCheck, isSaidAbove, onPress }: OutcomeProps) {
  const { t, format } = useChatContext();
  const isSending = progress.state === "sending";
  const failed = progress.state === "failed" ? progress.failure : null;
  /** The channel's message about these answers. It replaces the notes on the outcome of the submission. */
  const reason = failed === null || failed.code === "invalid_submission" ? collection.error : null;
  const shownReason = isSending || isSaidAbove ? null : reason;
  const problem = toCheck > 0 ? counted(t.form.errorSummary, toCheck, format) : shownReason;
  return (
    <>
      <p className={styles["saved"]} role="status">
        {reason === null && savedText()}
      </p>
      {problem !== null && (
        <p className={styles["problem"]} role="alert">
          {problem}
        </p>
      )}
      {failed !== null && reason === null && (
        <RemedyNote
          failure={failed}
          // The form is shown, so the chat is open again.
          remedy={failed.code === "chat_closed" ? generalRemedy : undefined}
          onPress={onPress}
        />
      )}
    </>
  );

  function savedText(): string | null {
    if (progress.state === "saved") return collection.request?.complete ? t.form.savedOpen : t.form.savedPart;
    return isComplete && progress.state === "filling" ? t.form.complete : null;
  }
}

interface FormActionsProps {
  verb: string;
  isSending: boolean;
  /** True while nothing can be sent. */
  isHeld: boolean;
  request: Collection["request"];
  /** True if cancelling would lose answers: the form then asks first. */
  hasTyped: boolean;
}

function FormActions({ verb, isSending, isHeld, request, hasTyped }: FormActionsProps) {
  const { chat, t } = useChatContext();
  const [question, setQuestion] = useState<"unasked" | "asked" | "declined">("unasked");
  if (isSending && question !== "unasked") setQuestion("unasked");
  if (question === "asked") {
    return (
      <div className={controls["row"]} role="alert">
        <Button aria-disabled={isHeld} onClick={chat.cancelForm}>
          {t.form.confirmCancel}
        </Button>
        <Button look="quiet" ref={focusOnMount} onClick={() => setQuestion("declined")}>
          {t.form.keepForm}
        </Button>
      </div>
    );
  }
  return (
    <div className={controls["row"]}>
      <Button type="submit" look="primary" aria-disabled={isHeld}>
        {verb}
      </Button>
      {request?.canSkip && !isSending && (
        <Button look="quiet" aria-disabled={isHeld} onClick={chat.skipForm}>
          {t.form.skip}
        </Button>
      )}
      {request?.canCancel && !isSending && (
        <Button
          look="quiet"
          ref={question === "declined" ? focusOnMount : undefined}
          aria-disabled={isHeld}
          onClick={() => (hasTyped && !isHeld ? setQuestion("asked") : chat.cancelForm())}
        >
          {t.form.cancel}
        </Button>
      )}
    </div>
  );
}

/** A stable function, so that React calls it once per button and not after each render. */
const focusOnMount = (button: HTMLElement | null) => button?.focus({ preventScroll: true });

/** Focuses the given field, or the form's first one if it is null. Of options it is the chosen one. */
function focusField(form: HTMLFormElement | null, fieldId: string | null): void {
  const fields = [...(form?.querySelectorAll<HTMLElement>("input, textarea, select") ?? [])];
  const controls = fields.filter((field) => field.dataset["fieldId"] === fieldId);
  const wanted = controls.find((control) => control.matches(":checked")) ?? controls[0] ?? fields[0];
  wanted?.focus();
}
