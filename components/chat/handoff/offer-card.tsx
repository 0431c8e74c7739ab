import { type ReactNode, type SubmitEvent, useId, useRef, useState } from "react";
import type { HandoffOffer } from "../../../lib/chat-api/message.ts";
import { generalRemedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import type { OfferAttempt } from "../../../lib/engine/state/forms-state.ts";
import { isAcceptable, isCurrentOffer } from "../../../lib/engine/state/offer.ts";
import type { ConversationState } from "../../../lib/engine/state/state.ts";
import { useChatContext, useChatState, useConversation } from "../chat-context.ts";
import { Button } from "../controls/buttons.tsx";
import { emailInput } from "../controls/email-input.ts";
import { Icon } from "../controls/icons.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { useWaitingLabel, WaitingStatus } from "../errors/waiting.tsx";
import { ReadingNote } from "../forms/form-card.tsx";
import forms from "../forms/forms.module.css";
import styles from "./handoff.module.css";
import { teamReplies } from "./waiting-banner.tsx";

export interface OfferCardProps {
  messageId: string;
  offer: HandoffOffer;
  /** Shown in place of an offer that cannot be accepted any more. */
  fallback?: ReactNode;
}

/**
 * The agent's offer to pass the chat to the team, while it can be accepted. Afterwards `WaitingBanner` shows
 * the handoff.
 */
export function OfferCard({ messageId, offer, fallback = null }: OfferCardProps) {
  const context = useChatContext();
  const { t } = context;
  const state = useConversation();
  const attempt = useChatState(context.chat, ({ forms }) => forms.offer.attempt);
  const ownAttempt = attempt?.confirmationId === offer.confirmationId ? attempt : null;
  const refusal = ownAttempt?.state === "failed" ? ownAttempt.failure.code : null;
  // A refusal stays visible, even if a teammate has come and gone. A customer who has written since then no
  // longer needs it.
  const isShown =
    refusal === "confirmation_required"
      ? isCurrentOffer(state, messageId) && !hasWrittenSince(state, messageId)
      : isAcceptable(state, messageId);
  if (!isShown) return fallback;
  return (
    <section className={forms["form"]} data-open aria-label={t.handoff.offer}>
      {refusal !== "confirmation_required" && (
        <p className={styles["replies"]}>
          <Icon name="person" size={18} />
          <span>{teamReplies(offer, context)}</span>
        </p>
      )}
      {refusal === "collection_incomplete" ? (
        <Details offer={offer} attempt={ownAttempt} />
      ) : (
        <OfferForm offer={offer} attempt={ownAttempt} />
      )}
    </section>
  );
}

function hasWrittenSince({ messages, pending }: ConversationState, messageId: string): boolean {
  const at = messages.findIndex(({ id }) => id === messageId);
  return pending.length > 0 || messages.slice(at + 1).some(({ role }) => role === "visitor");
}

interface OfferFormProps {
  offer: HandoffOffer;
  attempt: OfferAttempt | null;
}

/**
 * Shown when the team requires a form first. If the customer cancelled it, they can accept the offer again.
 */
function Details({ offer, attempt }: OfferFormProps) {
  const { chat, t } = useChatContext();
  const reading = useChatState(chat, ({ forms }) => forms.reading);
  const { collection } = useConversation();
  const isOpen = collection?.request && collection.pendingAction === "handoff";
  if (!isOpen && reading !== "done") return <ReadingNote />;
  return (
    <>
      <p className={styles["note"]} role="status">
        {isOpen ? t.handoff.detailsNeeded : t.remedies.details_missing}
      </p>
      {!isOpen && <OfferForm offer={offer} attempt={attempt} />}
    </>
  );
}

function OfferForm({ offer, attempt }: OfferFormProps) {
  const { chat, t } = useChatContext();
  const emailField = useRef<HTMLInputElement>(null);
  const email = useChatState(chat, ({ forms }) => forms.offer.email);
  const [isInvalid, setInvalid] = useState(false);
  const id = useId();
  const noteId = useId();
  const isSending = attempt?.state === "sending";
  const waiting = isSending ? attempt.waiting : null;
  const waitingLabel = useWaitingLabel(waiting);
  const failed =
    attempt?.state === "failed" && attempt.failure.code !== "collection_incomplete" ? attempt.failure : null;
  // The error note already has the one button that helps.
  const hasOwnButton = failed !== null && remedyFor(failed).button !== null;
  const isRefused = failed?.code === "confirmation_required";
  const hasNothingToEdit = failed !== null && remedyFor(failed).button === "edit" && !offer.requiresEmail;

  function accept(): void {
    const isAccepted = chat.acceptOffer(offer);
    setInvalid(!isAccepted);
    if (!isAccepted) emailField.current?.focus();
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    if (!hasOwnButton) accept();
  }

  function press(button: RemedyButton): void {
    if (button === "ask_person") {
      // The agent then makes a new offer, which replaces this card.
      chat.send(t.handoff.askAgainText);
    } else if (button === "edit") {
      chat.dismissOfferFailure();
      emailField.current?.focus();
    } else accept();
  }

  return (
    <form className={styles["form"]} noValidate onSubmit={onSubmit}>
      {offer.requiresEmail && !isRefused && (
        <div className={`${forms["field"]} ${styles["field"]}`}>
          <label htmlFor={id}>{t.handoff.email}</label>
          <input
            {...emailInput}
            ref={emailField}
            id={id}
            value={email}
            aria-required="true"
            aria-invalid={isInvalid}
            aria-describedby={isInvalid ? noteId : undefined}
            onChange={(event) => chat.setOfferEmail(event.target.value)}
          />
          {isInvalid && (
            <p id={noteId} className={forms["problem"]}>
              {t.form.invalidEmail}
            </p>
          )}
        </div>
      )}
      {failed !== null && (
        <RemedyNote failure={failed} remedy={hasNothingToEdit ? generalRemedy : undefined} onPress={press} />
      )}
      {!hasOwnButton && (
        <Button type="submit" look="primary" aria-disabled={isSending}>
          {isSending ? (waitingLabel ?? t.handoff.accepting) : t.handoff.offer}
        </Button>
      )}
      <WaitingStatus waiting={waiting} />
    </form>
  );
}
