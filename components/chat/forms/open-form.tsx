import { type SubmitEvent, useRef, useState } from "react";
import type { Collection, SubmitCollectionBody } from "#lib/chat-api/collection.ts";
import { limits } from "#lib/chat-api/limits.ts";
import type { Failure } from "#lib/conversation/failure.ts";
import {
  type AnswerFault,
  answerFault,
  answerText,
  changedMeanwhile,
  endBody,
  formEntries,
  keepTyped,
  prefilled,
  saveBody,
  stillTyped,
} from "#lib/conversation/form.ts";
import { useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { emailForTeam } from "../handoff/accept-offer.ts";
import { counted } from "../i18n/strings.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { FormField } from "./form-field.tsx";
import styles from "./forms.module.css";
import { submitForm } from "./submit-form.ts";
import { useBeginningInView } from "./use-beginning-in-view.ts";
import { useTypedAnswers } from "./use-typed-answers.ts";

type CollectionAction = SubmitCollectionBody["action"];

type Progress =
  | { state: "filling" }
  | { state: "sending"; waiting: Failure | null }
  /** And the form is still open: there is more to answer, or what was answered may be changed. */
  | { state: "saved" }
  | { state: "failed"; failure: Failure; action: CollectionAction };

export interface OpenFormProps {
  runtime: ChatRuntime;
  collection: Collection;
  /** It is what the customer is asked now; false for a form further up in a chat that is opened or scrolled. */
  comesIn: boolean;
}

export function OpenForm({ runtime, collection, comesIn }: OpenFormProps) {
  const { t, format } = useChat();
  const form = useRef<HTMLFormElement>(null);
  useBeginningInView(form, comesIn);
  const [progress, setProgress] = useState<Progress>({ state: "filling" });
  const [isChecked, setChecked] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const requestId = collection.request?.id ?? "";
  const entries = formEntries(collection);
  const isForTeam = collection.pendingAction === "handoff";
  const { typed, type, keep } = useTypedAnswers(
    runtime.getState().chatId,
    requestId,
    prefilled(entries, isForTeam ? emailForTeam(runtime) : null),
  );
  const faults = new Map<string, AnswerFault>();
  for (const entry of entries) {
    const fault = answerFault(entry, answerText(entry, typed));
    if (fault !== null) faults.set(entry.field.id, fault);
  }
  const isSending = progress.state === "sending";
  const isSaved = progress.state === "saved";
  /** Fields that keep the form from being sent, or from being complete. */
  const toCheck = isSaved ? collection.missing.length : isChecked ? faults.size : 0;
  const asksForMissing = progress.state === "failed" || isSaved;

  async function submit(action: CollectionAction): Promise<void> {
    setProgress({ state: "sending", waiting: null });
    const onWaiting = (waiting: Failure | null) => setProgress({ state: "sending", waiting });
    // What was stored meanwhile has been told: the customer keeps their own answer.
    let left = action === "save" ? keepTyped(typed, entries) : typed;
    keep(left);
    let now = collection;
    const { chatId } = runtime.getState();
    // A form that asks for more than one submission takes is sent in parts.
    for (let sent = 0; sent === 0 || sent < entries.length; sent += limits.answersPerSubmission) {
      const body = action === "save" ? saveBody(now, formEntries(now), left) : endBody(now, action);
      const result = await submitForm(runtime, body, onWaiting);
      if (result.kind === "failed") return setProgress({ state: "failed", failure: result.failure, action });
      now = result.collection;
      left = now.request?.id === requestId ? stillTyped(left, formEntries(now), body) : new Map();
      keep(left);
      if (left.size === 0 || runtime.getState().chatId !== chatId) break;
    }
    setProgress({ state: action === "save" && now.request?.id === requestId ? "saved" : "filling" });
    setChecked(false);
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    if (isSending) return;
    setChecked(true);
    const [first] = faults.keys();
    if (first === undefined) void submit("save");
    else focusField(form.current, first);
  }

  return (
    <form ref={form} className={styles["fields"]} noValidate onSubmit={onSubmit}>
      {isForTeam && <p className={styles["note"]}>{t.form.forTeam}</p>}
      {entries.map((entry) => (
        <FormField
          key={entry.field.id}
          entry={entry}
          text={answerText(entry, typed)}
          fault={isChecked ? (faults.get(entry.field.id) ?? null) : null}
          isMissing={asksForMissing && collection.missing.includes(entry.field.id)}
          changed={changedMeanwhile(entry, typed)}
          isDisabled={isSending}
          onType={(text) => {
            if (isSending) return;
            if (progress.state === "saved") setProgress({ state: "filling" });
            type(entry, text);
          }}
        />
      ))}
      {collection.error !== null && !isSending && (
        <p className={styles["fault"]} role="alert" dir="auto">
          {collection.error}
        </p>
      )}
      <p className={styles["saved"]} role="status">
        {isSaved && collection.error === null && t.form.saved}
      </p>
      {toCheck > 0 && (
        <p className={styles["fault"]} role="alert">
          {counted(t.form.errorSummary, toCheck, format)}
        </p>
      )}
      {progress.state === "failed" && (
        <RemedyNote
          failure={progress.failure}
          onPress={(button) => {
            if (button === "try_again") void submit(progress.action);
            else if (button === "new_chat") runtime.open(null, runtime.getDraft());
            else if (button === "reload_page") window.location.reload();
            else focusField(form.current, null);
          }}
        />
      )}
      <div className={styles["actions"]}>
        <Button type="submit" look="primary" aria-disabled={isSending}>
          {isSending ? (progress.waiting === null ? t.form.saving : t.problems.reconnecting) : t.form.save}
        </Button>
        {collection.request?.canSkip && !isSending && (
          <Button look="quiet" onClick={() => void submit("skip")}>
            {t.form.skip}
          </Button>
        )}
        {collection.request?.canCancel && !isSending && (
          <Button look="quiet" onClick={() => (typed.size > 0 ? setLeaving(true) : void submit("cancel"))}>
            {t.form.cancel}
          </Button>
        )}
      </div>
      {isLeaving && !isSending && (
        <div className={styles["actions"]} role="alert">
          <Button onClick={() => void submit("cancel")}>{t.form.confirmCancel}</Button>
          <Button look="quiet" onClick={() => setLeaving(false)}>
            {t.form.keepForm}
          </Button>
        </div>
      )}
    </form>
  );
}

/** The field, or with null the form's first one. */
function focusField(form: HTMLFormElement | null, fieldId: string | null): void {
  const fields = [...(form?.querySelectorAll<HTMLElement>("input, textarea, select") ?? [])];
  const wanted = fields.find((field) => field.dataset["fieldId"] === fieldId) ?? fields[0];
  wanted?.focus();
}
