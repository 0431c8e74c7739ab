import { type SubmitEvent, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Collection } from "../../../lib/chat-api/collection.ts";
import { limits } from "../../../lib/chat-api/limits.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import type { Failure } from "../../../lib/engine/failure.ts";
import { emailForTeam } from "../../../lib/engine/forms/accept-offer.ts";
import {
  type AnswerFaults,
  answerFaults,
  answerText,
  changedMeanwhile,
  endBody,
  type FormEntry,
  formEntries,
  isAnsweredSince,
  keepTyped,
  prefilled,
  saveBody,
  stillTyped,
  type TypedAnswers,
} from "../../../lib/engine/forms/form.ts";
import type { CollectionAction } from "../../../lib/engine/forms/form-end.ts";
import { formRefusal, keepFormRefusal } from "../../../lib/engine/forms/form-refusal.ts";
import { submitForm } from "../../../lib/engine/forms/submit-form.ts";
import { generalRemedy, pausedUntil, type RemedyButton } from "../../../lib/engine/remedies.ts";
import { useChat, useIsClosed } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { useSecondsUntil } from "../errors/use-seconds-until.ts";
import { useWaitingLabel, WaitingStatus } from "../errors/waiting-label.tsx";
import { counted, fill } from "../i18n/strings.ts";
import { questionName } from "./answers.ts";
import { FormField } from "./form-field.tsx";
import styles from "./forms.module.css";
import { GivenAnswer } from "./given-answer.tsx";
import { useBeginningInView } from "./use-beginning-in-view.ts";
import { useFocusInView } from "./use-focus-in-view.ts";
import { useTypedAnswers } from "./use-typed-answers.ts";

type Progress =
  | { state: "filling" }
  | { state: "sending"; waiting: Failure | null; action: CollectionAction }
  /** The form is still open after this submission: answers are missing or can be changed. */
  | { state: "saved" }
  | { state: "failed"; failure: Failure; action: CollectionAction };

export interface OpenFormProps {
  runtime: ChatRuntime;
  collection: Collection;
  /** When the form was requested; null if unknown. */
  askedAt: string | null;
  /** True for the customer's current question; false for a form further up or in a chat that is loading. */
  isCurrent: boolean;
}

/** Sends the answers and tracks the outcome. */
function useSubmission(
  runtime: ChatRuntime,
  collection: Collection,
  { typed, keep }: ReturnType<typeof useTypedAnswers>,
  onSubmitted: () => void,
) {
  const requestId = collection.request?.id ?? "";
  const { chatId } = runtime.getState();
  const [progress, setShown] = useState<Progress>(() => {
    const refusal = formRefusal(chatId, requestId);
    return refusal === null ? { state: "filling" } : { state: "failed", ...refusal };
  });
  /** True once this request has been saved: from then on the customer changes answers. */
  const [wasSaved, setSaved] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const entries = formEntries(collection);

  function setProgress(next: Progress): void {
    const failure = next.state === "sending" ? next.waiting : next.state === "failed" ? next.failure : null;
    keepFormRefusal(chatId, requestId, "action" in next && failure ? { action: next.action, failure } : null);
    setShown(next);
  }

  async function submit(action: CollectionAction): Promise<void> {
    const onWaiting = (waiting: Failure | null) => setProgress({ state: "sending", waiting, action });
    onWaiting(null);
    // The form has shown values that someone else stored meanwhile: submitting keeps the customer's own.
    let left = action === "save" ? keepTyped(typed, entries) : typed;
    keep(left);
    let now = collection;
    // Answers beyond the limit of one submission go out in parts.
    for (let sent = 0; sent === 0 || sent < entries.length; sent += limits.answersPerSubmission) {
      const body = action === "save" ? saveBody(now, formEntries(now), left) : endBody(now, action);
      const result = await submitForm(runtime, body, onWaiting);
      onSubmitted();
      if (result.kind === "failed") return setProgress({ state: "failed", failure: result.failure, action });
      now = result.collection;
      left = now.request?.id === requestId ? stillTyped(left, formEntries(now), body) : new Map();
      keep(left);
      if (left.size === 0 || runtime.getState().chatId !== chatId) break;
    }
    const isSaved = action === "save" && now.request?.id === requestId;
    setProgress({ state: isSaved ? "saved" : "filling" });
    if (isSaved) setSaved(true);
    setChecked(false);
  }

  return { progress, setProgress, wasSaved, isChecked, setChecked, submit };
}

/** Shows no field for the address given with the offer until the customer changes it or submits the form. */
function useGivenEmail(entries: readonly FormEntry[], typed: TypedAnswers, email: string | null) {
  const [isAsked, setAsked] = useState(false);
  const [given] = useState(
    () => new Set(entries.filter((entry) => answerText(entry, typed) === email).map(({ field }) => field.id)),
  );
  return {
    isGiven: ({ field, stored }: FormEntry) =>
      field.type === "email" && stored === null && !isAsked && given.has(field.id),
    ask: () => setAsked(true),
  };
}

const noFaults: AnswerFaults = new Map();

export function OpenForm({ runtime, collection, askedAt, isCurrent }: OpenFormProps) {
  const { t } = useChat();
  const form = useRef<HTMLFormElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useBeginningInView(form, isCurrent);
  const { request, missing, pendingAction } = collection;
  const entries = formEntries(collection);
  const isForTeam = pendingAction === "handoff";
  const email = isForTeam ? emailForTeam(runtime) : null;
  const { chatId } = runtime.getState();
  const answers = useTypedAnswers(chatId, request?.id ?? "", prefilled(entries, email));
  const { typed, type } = answers;
  const { isGiven, ask } = useGivenEmail(entries, typed, email);
  const submission = useSubmission(runtime, collection, answers, ask);
  const { progress, setProgress, wasSaved, isChecked, setChecked, submit } = submission;
  /** The customer has saved this request, and it stays open for changes. */
  const isComplete = request?.complete === true && (wasSaved || isAnsweredSince(entries, askedAt));
  /** What the channel still requires. Its own message about the answers replaces the notes on the fields. */
  const stillMissing = progress.state === "saved" && collection.error === null ? missing : [];
  const faults = isChecked ? answerFaults(entries, typed) : noFaults;
  const isSending = progress.state === "sending";
  const waiting = progress.state === "sending" ? progress.waiting : null;
  const waitingLabel = useWaitingLabel(waiting);
  const failed = progress.state === "failed" ? progress.failure : null;
  const paused = useMemo(() => failed && pausedUntil(failed, Date.now()), [failed]);
  /** During a submission, and during a wait that the server asked for, no button sends. */
  const isHeld = useSecondsUntil(paused) > 0 || isSending;
  const isClosed = useIsClosed(runtime);
  useFocusInView(form, end, failed);

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    if (isHeld) return;
    setChecked(true);
    const [first] = answerFaults(entries, typed).keys();
    if (first === undefined) void submit("save");
    else focusField(form.current, first);
  }

  function press(button: RemedyButton): void {
    if (progress.state !== "failed") return;
    if (button === "try_again") void submit(progress.action);
    else if (button === "new_chat") runtime.chats.startOver();
    else focusField(form.current, null);
  }

  const verb = isComplete ? t.form.saveAgain : isForTeam ? t.form.sendToTeam : t.form.save;
  return (
    <form ref={form} className={styles["fields"]} noValidate onSubmit={onSubmit}>
      {isForTeam && <p className={styles["note"]}>{t.form.forTeam}</p>}
      {entries.length > maxWithoutProgress && <FormProgress entries={entries} typed={typed} />}
      <Questions
        entries={entries}
        typed={typed}
        faults={faults}
        missing={stillMissing}
        isDisabled={isSending || isClosed}
        isGiven={isGiven}
        onType={(entry, text) => {
          if (progress.state === "saved") setProgress({ state: "filling" });
          type(entry, text);
        }}
        onEdit={({ field }) => {
          flushSync(ask);
          focusField(form.current, field.id);
        }}
      />
      {!isClosed && (
        <div ref={end} className={styles["end"]}>
          <Outcome
            collection={collection}
            progress={progress}
            isComplete={isComplete}
            toCheck={faults.size + stillMissing.length}
            onPress={press}
          />
          <WaitingStatus waiting={waiting} />
          <FormActions
            verb={isSending ? (waitingLabel ?? t.delivery.sending) : verb}
            isSending={isSending}
            isHeld={isHeld}
            canSkip={request?.canSkip ?? false}
            canCancel={request?.canCancel ?? false}
            hasTyped={typed.size > 0}
            onEnd={(action) => isHeld || void submit(action)}
          />
        </div>
      )}
    </form>
  );
}

/** A form with more fields shows how many have an answer. */
const maxWithoutProgress = 8;

function FormProgress({ entries, typed }: { entries: readonly FormEntry[]; typed: TypedAnswers }) {
  const { t, format } = useChat();
  const answered = entries.filter((entry) => hasVisibleText(answerText(entry, typed))).length;
  const text = fill(t.form.progress, {
    answered: format.number(answered),
    total: format.number(entries.length),
  });
  return (
    <div className={styles["progress"]}>
      <progress aria-label={text} value={answered} max={entries.length} />
      <span aria-hidden="true">{text}</span>
    </div>
  );
}

interface QuestionsProps {
  entries: readonly FormEntry[];
  typed: TypedAnswers;
  faults: AnswerFaults;
  /** IDs of the fields that the channel still requires. */
  missing: readonly string[];
  isDisabled: boolean;
  isGiven(entry: FormEntry): boolean;
  onType(entry: FormEntry, text: string): void;
  onEdit(entry: FormEntry): void;
}

function Questions(props: QuestionsProps) {
  const { entries, typed, faults, missing, isDisabled, isGiven, onType, onEdit } = props;
  const chat = useChat();
  return entries.map((entry, index) => {
    const { id } = entry.field;
    const text = answerText(entry, typed);
    return isGiven(entry) ? (
      <GivenAnswer
        key={id}
        name={questionName(entry.field, index, chat)}
        value={text}
        onEdit={() => isDisabled || onEdit(entry)}
      />
    ) : (
      <FormField
        key={id}
        entry={entry}
        index={index}
        text={text}
        fault={faults.get(id) ?? null}
        isMissing={missing.includes(id)}
        changed={changedMeanwhile(entry, typed)}
        isDisabled={isDisabled}
        onType={(changed) => isDisabled || onType(entry, changed)}
      />
    );
  });
}

interface OutcomeProps {
  collection: Collection;
  progress: Progress;
  isComplete: boolean;
  /** How many fields have a note. */
  toCheck: number;
  onPress(button: RemedyButton): void;
}

function Outcome({ collection, progress, isComplete, toCheck, onPress }: OutcomeProps) {
  const { t, format } = useChat();
  const isSending = progress.state === "sending";
  const failed = progress.state === "failed" ? progress.failure : null;
  /** The channel's message about these answers. It replaces the notes on the outcome of the submission. */
  const reason = failed === null || failed.code === "invalid_submission" ? collection.error : null;
  const shownReason = toCheck > 0 || isSending ? null : reason;
  return (
    <>
      {shownReason !== null && (
        <p className={styles["fault"]} role="alert">
          {shownReason}
        </p>
      )}
      <p className={styles["saved"]} role="status">
        {shownReason === null && savedText()}
      </p>
      {toCheck > 0 && (
        <p className={styles["fault"]} role="alert">
          {counted(t.form.errorSummary, toCheck, format)}
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
  canSkip: boolean;
  canCancel: boolean;
  /** True if cancelling would lose answers: the form then asks first. */
  hasTyped: boolean;
  onEnd(action: "skip" | "cancel"): void;
}

function FormActions({ verb, isSending, isHeld, canSkip, canCancel, hasTyped, onEnd }: FormActionsProps) {
  const { t } = useChat();
  const [question, setQuestion] = useState<"unasked" | "asked" | "declined">("unasked");
  if (isSending && question !== "unasked") setQuestion("unasked");
  if (question === "asked") {
    return (
      <div className={styles["actions"]} role="alert">
        <Button aria-disabled={isHeld} onClick={() => onEnd("cancel")}>
          {t.form.confirmCancel}
        </Button>
        <Button look="quiet" ref={focusOnMount} onClick={() => setQuestion("declined")}>
          {t.form.keepForm}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles["actions"]}>
      <Button type="submit" look="primary" aria-disabled={isHeld}>
        {verb}
      </Button>
      {canSkip && !isSending && (
        <Button look="quiet" aria-disabled={isHeld} onClick={() => onEnd("skip")}>
          {t.form.skip}
        </Button>
      )}
      {canCancel && !isSending && (
        <Button
          look="quiet"
          ref={question === "declined" ? focusOnMount : undefined}
          aria-disabled={isHeld}
          onClick={() => (hasTyped && !isHeld ? setQuestion("asked") : onEnd("cancel"))}
        >
          {t.form.cancel}
        </Button>
      )}
    </div>
  );
}

/** A stable function, so that React calls it once per button and not after each render. */
const focusOnMount = (button: HTMLElement | null) => button?.focus({ preventScroll: true });

/** Focuses the given field, or the form's first one if it is null. */
function focusField(form: HTMLFormElement | null, fieldId: string | null): void {
  const fields = [...(form?.querySelectorAll<HTMLElement>("input, textarea, select") ?? [])];
  const wanted = fields.find((field) => field.dataset["fieldId"] === fieldId) ?? fields[0];
  wanted?.focus();
}
