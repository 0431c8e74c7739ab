/** Derived state for components. */
import type { ChatMode } from "../../chat-api/chat.ts";
import { type ErrorRule, errorRules } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import type { Message } from "../../chat-api/message.ts";
import { hasVisibleText, utf16Length } from "../../chat-api/text.ts";
import { type Failure, type FailureCode, failure } from "../failure.ts";
import * as conversationLimits from "../limits.ts";
import { type Match, matchDelivered } from "../outbox/matching.ts";
import type { ConversationState, PendingMessage } from "./state.ts";

export type ConversationStatus = "idle" | "submitted" | "streaming" | "recovering";

/** The state of the latest turn. */
export function statusOf(state: ConversationState): ConversationStatus {
  if (state.reply !== null && state.reply.replyId !== null && !isCutOff(state)) {
    return state.reply.newText === null ? "streaming" : "recovering";
  }
  const busy = state.pending.map(({ delivery }) => delivery.state);
  if (busy.some((delivery) => delivery === "checking" || delivery === "waiting" || delivery === "unsure"))
    return "recovering";
  return busy.some((delivery) => delivery !== "refused") ? "submitted" : "idle";
}

/** True if the streaming reply was cut off; its text so far stays. */
export function isCutOff({ reply, pending }: Pick<ConversationState, "reply" | "pending">): boolean {
  const delivery = pending.find(({ record }) => record.key === reply?.key)?.delivery.state;
  return delivery === "refused" || delivery === "unsure";
}

/**
 * The customer's last message, if this browser does not deliver it and the agent is probably answering it:
 * another device has sent it. The answer is in the list once it is complete.
 */
export function answeredElsewhere(state: ConversationState): Message | null {
  const last = state.messages.at(-1);
  if (last?.role !== "visitor" || state.pending.length > 0 || modeOf(state) !== "agent") return null;
  if (last.id === state.settledId) return null;
  // This device's clock may be behind.
  const age = Math.abs(Date.now() - Date.parse(last.createdAt ?? ""));
  return age < conversationLimits.answerTime && !isOver(state) ? last : null;
}

export function modeOf(state: ConversationState): ChatMode {
  return state.chat?.mode ?? "agent";
}

/**
 * The message whose form can be filled in: the one that the channel requests, which may be further up after a
 * reopening; if no form is known to be open, the latest one.
 */
export function latestFormMessageId({
  messages,
  collection,
}: Pick<ConversationState, "messages" | "collection">): string | null {
  const openId = collection?.request?.id;
  const form = messages.findLast(({ collection: asked }) =>
    openId === undefined ? asked?.request : asked?.request?.id === openId,
  );
  return form?.id ?? null;
}

/** True if the chat asks for a form, or has asked for one. */
export function hasForm(state: ConversationState): boolean {
  const { collection, endedForm } = state;
  return latestFormMessageId(state) !== null || collection?.request != null || endedForm !== null;
}

/** True if a message asks for this form. */
export function isCarried({ messages }: Pick<ConversationState, "messages">, requestId: string): boolean {
  return messages.some(({ collection }) => collection?.request?.id === requestId);
}

/**
 * The message below which an open form is shown if no message carries it: the accepted offer of a handoff.
 * Null if it is shown below all messages.
 */
export function openFormPlace(state: Pick<ConversationState, "messages" | "collection">): string | null {
  return state.collection?.pendingAction === "handoff" ? latestOfferMessageId(state) : null;
}

/** The latest handoff offer. Only this one can be accepted. */
export function latestOfferMessageId({ messages }: Pick<ConversationState, "messages">): string | null {
  return messages.findLast(({ handoffOffer }) => handoffOffer !== null)?.id ?? null;
}

/** Messages from the agent or the team that the customer has not seen, oldest first. */
export function unreadMessagesOf({
  messages,
  seenId,
  newIds,
}: Pick<ConversationState, "messages" | "seenId" | "newIds">): readonly Message[] {
  const seen = messages.findIndex(({ id }) => id === seenId);
  return messages.filter(
    ({ id, role }, index) => role !== "visitor" && (index > seen || newIds.includes(id)),
  );
}

/**
 * Why this chat takes no more messages; null if it takes them. `chat_closed` and similar codes are final,
 * `chat_unavailable` and similar ones last until an attempt succeeds.
 */
export function closedBy(state: ConversationState): FailureCode | null {
  if (modeOf(state) === "resolved") return "chat_closed";
  const unread = state.history.state === "failed" ? state.history.failure : null;
  if (unread !== null && (endsWith(unread.code, "gone") || endsWith(unread.code, "service")))
    return unread.code;
  if (state.syncFailure !== null && endsWith(state.syncFailure.code, "gone")) return state.syncFailure.code;
  const refusals = state.pending.flatMap(({ delivery }) =>
    delivery.state === "refused" ? [delivery.failure.code] : [],
  );
  // A chat that was gone for a message may be there after a sign-in: only reading it tells.
  return refusals.find((code) => endsWith(code, "full")) ?? refusals.find(isOutOfService) ?? null;
}

/** Whether the message can be sent once its files are uploaded. */
export function isSendable(
  { text, files }: { text: string; files: readonly unknown[] },
  conversation: ConversationState,
): boolean {
  const hasContent = hasVisibleText(text) || files.length > 0;
  const isTooMuch = utf16Length(text) > limits.messageTextLength || files.length > limits.filesPerMessage;
  return hasContent && !isTooMuch && closedBy(conversation) === null;
}

/** True for a closed or deleted chat, in which nothing more happens. */
export function isOver(state: ConversationState): boolean {
  const closed = closedBy(state);
  return closed !== null && (endsWith(closed, "closed") || endsWith(closed, "gone"));
}

/** The listed messages that the pending ones have become. Those whose `start` was read are known by ID. */
export function matchesOf({ pending, messages }: Pick<ConversationState, "pending" | "messages">) {
  const storedIds = pending.flatMap(({ delivery }) =>
    delivery.state === "stored" ? [delivery.messageId] : [],
  );
  const others = pending.filter(({ delivery }) => delivery.state !== "stored");
  // Only taken, not left out: a later message may follow one of them.
  const records = others.map(({ record }) => ({ ...record, takenIds: [...record.takenIds, ...storedIds] }));
  return matchDelivered(records, messages);
}

/** Why a message can no longer be sent in a chat that has ended; null if it arrived there, or may have. */
export function refusalByEnd(
  { delivery }: PendingMessage,
  match: Match | undefined,
  closed: FailureCode | null,
): Failure | null {
  if (closed === null || isOutOfService(closed)) return null;
  const isGone = endsWith(closed, "gone");
  const mayBeStored = (code: FailureCode) => errorRules[code].outcome === "unknown" || match !== undefined;
  const isUnsent =
    delivery.state === "waiting"
      ? isGone || !mayBeStored(delivery.failure.code)
      : delivery.state === "queued" || (isGone && delivery.state === "unsure");
  return isUnsent ? failure(closed) : null;
}

/** False in a closed, full or deleted chat, which has no message field. */
export function takesMessages(state: ConversationState): boolean {
  const closed = closedBy(state);
  return closed === null || isOutOfService(closed);
}

/** The newest message if the customer can still answer it: its suggested replies are offered. */
export function answerableMessageId(state: ConversationState): string | null {
  const canAnswer = state.pending.length === 0 && takesMessages(state);
  return canAnswer ? (state.messages.at(-1)?.id ?? null) : null;
}

const endsWith = (code: FailureCode, end: ErrorRule["ends"]) => errorRules[code].ends === end;

/** True for a problem that only the operator can mend, during which no message can be delivered. */
export const isOutOfService = (code: FailureCode): boolean => endsWith(code, "service");
