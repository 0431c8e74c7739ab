import type { ChatRuntime } from "../chat-runtime.ts";
import { keyFor } from "../delivery/kept-attempt.ts";
import { repeatWrite } from "../delivery/repeat-write.ts";
import { showEnd } from "../delivery/show-end.ts";
import { askedUntil, failureOf } from "../failure.ts";
import { keepsKey } from "../outbox/outbox.ts";
import type { ConversationState } from "../state/state.ts";
import { tabStorage } from "../storage/storage.ts";
import { isRecord, parseJson, stringOr, stringOrNull } from "../storage/stored.ts";
import { setOfferAttempt } from "./offer-attempts.ts";

export interface OfferAcceptance {
  /** The chat of the offer. The customer may open another chat meanwhile. */
  conversation: ConversationState;
  confirmationId: string;
  /** Null if the offer asks for none. */
  email: string | null;
  /** BCP 47. */
  locale: string;
}

/** Storage name of the address typed into an offer, kept in the tab until the chat is with the team. */
export const emailName = (chatId: string | null) => `offer-email:${chatId}`;

/**
 * Passes the chat to the team; `offerAttempt` shows the progress. If the team requires a form first, it opens
 * in the chat, and `continueHandoff` repeats the request once the form is complete. Never rejects.
 */
export async function acceptOffer(
  runtime: ChatRuntime,
  { conversation, confirmationId, email, locale }: OfferAcceptance,
): Promise<void> {
  const { chatId } = conversation;
  if (chatId === null) return;
  tabStorage.write(`handoff:${chatId}`, JSON.stringify({ confirmationId, email, locale }));
  const body = { confirmationId, locale, ...(email === null ? {} : { email }) };
  const keyName = `handoff-key:${chatId}`;
  const idempotencyKey = keyFor(tabStorage, keyName, JSON.stringify(body));
  setOfferAttempt(chatId, { confirmationId, state: "sending", waiting: null });
  try {
    const { item } = await repeatWrite(
      runtime,
      () => runtime.client.handoff(chatId, body, { idempotencyKey }),
      (waiting) => setOfferAttempt(chatId, { confirmationId, state: "sending", waiting }),
    );
    tabStorage.write(keyName, null);
    tabStorage.write(`handoff:${chatId}`, null);
    tabStorage.write(emailName(chatId), null);
    runtime.publish(conversation, { type: "chat_read", chat: item });
    setOfferAttempt(chatId, null);
    void runtime.history.syncSoon(conversation);
  } catch (error) {
    const failure = failureOf(error);
    // After a refusal such as `collection_incomplete` the next attempt needs a new key (docs/chat-api.md,
    // "Forms and handoffs").
    if (!keepsKey(failure)) tabStorage.write(keyName, null);
    setOfferAttempt(chatId, { confirmationId, state: "failed", failure });
    // Polls unless the server asks for a wait: there may be a form or a new offer, or the team may have the
    // chat if only the response was lost.
    if (!showEnd(runtime, conversation, failure) && askedUntil(failure) === null)
      void runtime.history.syncSoon(conversation);
  }
}

/** The address that the customer gave with an offer that is not accepted yet; null if there is none. */
export function emailForTeam(runtime: ChatRuntime): string | null {
  const asked = parseJson(tabStorage.read(`handoff:${runtime.getState().chatId}`));
  return isRecord(asked) ? stringOrNull(asked["email"]) : null;
}

/** Repeats the request of `acceptOffer` after the customer has answered the team's questions. */
export async function continueHandoff(runtime: ChatRuntime, conversation: ConversationState): Promise<void> {
  const kept = parseJson(tabStorage.read(`handoff:${conversation.chatId}`));
  const latest = conversation.messages.findLast(({ handoffOffer }) => handoffOffer !== null)?.handoffOffer;
  const asked = isRecord(kept) ? kept : {};
  const confirmationId = stringOr(asked["confirmationId"], latest?.confirmationId ?? "");
  if (confirmationId === "") return;
  await acceptOffer(runtime, {
    conversation,
    confirmationId,
    email: stringOrNull(asked["email"]),
    locale: stringOr(asked["locale"], "en"),
  });
}
