import { latestOfferMessageId, modeOf, takesMessages } from "./selectors.ts";
import type { ConversationState } from "./state.ts";

/** Whether the message has the current offer: the latest one, while the agent answers in an open chat. */
export function isCurrentOffer(state: ConversationState, messageId: string): boolean {
  if (modeOf(state) !== "agent" || !takesMessages(state)) return false;
  return latestOfferMessageId(state) === messageId;
}

/**
 * Whether the message's offer may still be accepted. An accepted offer stays used, even if the request to the
 * team failed: another request needs another offer.
 */
export function isAcceptable(state: ConversationState, messageId: string): boolean {
  if (!isCurrentOffer(state, messageId)) return false;
  const handoff = state.chat?.handoff ?? null;
  if (handoff === null) return true;
  const madeAt = state.messages.find(({ id }) => id === messageId)?.createdAt ?? null;
  return madeAt !== null && Date.parse(madeAt) > Date.parse(handoff.requestedAt);
}
