import { type SubmitEvent, useId, useState } from "react";
import type { HandoffOffer } from "#lib/chat-api/message.ts";
import { emailPattern } from "#lib/chat-api/patterns.ts";
import { type Failure, failureOf } from "#lib/conversation/failure.ts";
import { type RemedyButton, remedyFor } from "#lib/conversation/remedies.ts";
import { latestOfferMessageId, modeOf } from "#lib/conversation/selectors.ts";
import { useChat, useConversation } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icons.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { createTabStorage } from "../runtime/kept-attempt.ts";
import { acceptOffer } from "./accept-offer.ts";
import styles from "./handoff.module.css";
import { TeamHours } from "./team-hours.tsx";

export interface OfferCardProps {
  runtime: ChatRuntime;
  messageId: string;
  offer: HandoffOffer;
}

/** The agent's offer to pass the chat to the team. */
export default function OfferCard({ runtime, messageId, offer }: OfferCardProps) {
  const { t } = useChat();
  const state = useConversation(runtime);
  const isLatest = latestOfferMessageId(state) === messageId;
  const mode = modeOf(state);
  if (mode === "resolved") return null;
  if (!isLatest) return null;
  return (
    <section className={styles["offer"]} aria-label={t.handoff.offer}>
      <p className={styles["title"]}>
        <Icon name="person" size={18} />
        {t.handoff.offer}
      </p>
      {mode === "agent" ? (
        <OfferForm runtime={runtime} offer={offer} />
      ) : (
        <p className={styles["done"]}>
          <Icon name="check" size={16} />
          {t.handoff.accepted}
        </p>
      )}
    </section>
  );
}

function OfferForm({ runtime, offer }: { runtime: ChatRuntime; offer: HandoffOffer }) {
  const { t, format } = useChat();
  const emailId = useId();
  const noteId = useId();
  const { email, setEmail } = useTypedEmail(runtime);
  const [isInvalid, setInvalid] = useState(false);
  const [isSending, setSending] = useState(false);
  const [waiting, setWaiting] = useState<Failure | null>(null);
  const [failed, setFailed] = useState<Failure | null>(null);

  // The note about a failure has the one button that helps.
  const hasOwnButton =
    failed !== null && failed.code !== "collection_incomplete" && remedyFor(failed).button !== null;

  async function accept(): Promise<void> {
    setSending(true);
    setFailed(null);
    const acceptance = {
      conversation: runtime.getState(),
      confirmationId: offer.confirmationId,
      email: offer.requiresEmail ? email.trim() : null,
      locale: format.locale,
    };
    await acceptOffer(runtime, acceptance, setWaiting).then(
      () => setEmail(""),
      (error: unknown) => setFailed(failureOf(error)),
    );
    setSending(false);
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const isMissing = offer.requiresEmail && !emailPattern.test(email.trim());
    setInvalid(isMissing);
    if (isMissing) document.getElementById(emailId)?.focus();
    else if (!isSending) void accept();
  }

  function press(button: RemedyButton): void {
    setFailed(null);
    switch (button) {
      case "new_chat":
        runtime.open(null, runtime.getDraft());
        break;
      // A newer offer takes this card's place; where there is none, the agent makes one.
      case "ask_person":
        runtime.send({ text: t.handoff.askAgainText, files: [] });
        break;
      case "edit":
        if (offer.requiresEmail) document.getElementById(emailId)?.focus();
        else void accept();
        break;
      case "reload_messages":
        runtime.reload();
        break;
      case "reload_page":
        window.location.reload();
        break;
      default:
        void accept();
    }
  }

  return (
    <form className={styles["form"]} noValidate onSubmit={onSubmit}>
      <TeamHours nextAvailableAt={offer.nextAvailableAt} timezone={offer.timezone} />
      {offer.requiresEmail && (
        <div className={styles["field"]}>
          <label htmlFor={emailId}>{t.handoff.email}</label>
          <input
            id={emailId}
            type="email"
            inputMode="email"
            autoComplete="email"
            spellCheck={false}
            dir="ltr"
            value={email}
            aria-required="true"
            aria-invalid={isInvalid}
            aria-describedby={noteId}
            onChange={(event) => setEmail(event.target.value)}
          />
          <p id={noteId} data-fault={isInvalid}>
            {isInvalid ? t.handoff.emailInvalid : t.handoff.emailWhy}
          </p>
        </div>
      )}
      {failed === null ? null : failed.code === "collection_incomplete" ? (
        <p role="status">{t.handoff.detailsNeeded}</p>
      ) : (
        <RemedyNote failure={failed} onPress={press} />
      )}
      {!hasOwnButton && (
        <Button type="submit" look="primary" aria-disabled={isSending}>
          {isSending ? (waiting === null ? t.handoff.accepting : t.problems.reconnecting) : t.handoff.accept}
        </Button>
      )}
    </form>
  );
}

/** Kept in the tab until the offer is accepted, over reloads and newer offers of the chat. */
function useTypedEmail(runtime: ChatRuntime) {
  const name = `offer-email:${runtime.getState().chatId}`;
  const [storage] = useState(createTabStorage);
  const [email, setEmail] = useState(() => storage.read(name) ?? "");
  return {
    email,
    setEmail(typed: string) {
      setEmail(typed);
      storage.write(name, typed === "" ? null : typed);
    },
  };
}
