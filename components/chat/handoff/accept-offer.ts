import type { ConversationRef } from "#lib/conversation/conversation-ref.ts";
import { type Failure, failureOf } from "#lib/conversation/failure.ts";
import { keepsKey } from "#lib/conversation/outbox.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { isRecord, parseJson, stringOr, stringOrNull } from "#lib/conversation/stored.ts";
import { readCollection } from "../forms/read-collection.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { createTabStorage, keyFor } from "../runtime/kept-attempt.ts";
import { repeatWrite } from "../runtime/repeat-write.ts";

export interface Acceptance {
  /** Where the offer was made. The customer may open another chat meanwhile. */
  conversation: ConversationRef;
  confirmationId: string;
  /** Null where the offer needs none. */
  email: string | null;
  /** BCP 47. */
  locale: string;
}

/**
 * Passes the chat to the team. When the team wants to know more first, the form that this opens is read; once it is
 * filled in, `continueHandoff` asks again. Rejects when the customer has to decide.
 */
export async function acceptOffer(
  runtime: ChatRuntime,
  { conversation, confirmationId, email, locale }: Acceptance,
  onWaiting: (failure: Failure | null) => void = () => undefined,
): Promise<void> {
  const { chatId } = conversation;
  if (chatId === null) return;
  const storage = createTabStorage();
  storage.write(`handoff:${chatId}`, JSON.stringify({ confirmationId, email, locale }));
  const body = { confirmationId, locale, ...(email === null ? {} : { email }) };
  const keyName = `handoff-key:${chatId}`;
  const idempotencyKey = keyFor(storage, keyName, JSON.stringify(body));
  try {
    const { item } = await repeatWrite(
      runtime,
      () => runtime.client.handoff(chatId, body, { idempotencyKey }),
      onWaiting,
    );
    storage.write(keyName, null);
    storage.write(`handoff:${chatId}`, null);
    runtime.publish(conversation, { type: "chat_read", chat: item });
    runtime.syncSoon().catch(reportError);
  } catch (error) {
    const failure = failureOf(error);
    const { code } = failure;
    // An outcome that is known spends the key (specification, "Handoff flow", 4).
    if (!keepsKey(failure)) storage.write(keyName, null);
    if (code === "collection_incomplete") await readCollection(runtime, conversation);
    if (code === "collection_incomplete" || code === "confirmation_required")
      runtime.syncSoon().catch(reportError);
    throw error;
  }
}

/** The address that the customer gave with an offer that is not accepted yet; null where none was asked for. */
export function emailForTeam(runtime: ChatRuntime): string | null {
  const asked = parseJson(createTabStorage().read(`handoff:${runtime.getState().chatId}`));
  return isRecord(asked) ? stringOrNull(asked["email"]) : null;
}

/** Asks again for what `acceptOffer` asked, after the team's questions were answered. */
export async function continueHandoff(runtime: ChatRuntime, conversation: ConversationState): Promise<void> {
  const kept = parseJson(createTabStorage().read(`handoff:${conversation.chatId}`));
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
