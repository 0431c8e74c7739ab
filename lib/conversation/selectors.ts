/** What components ask of a conversation. */
import type { ChatMode } from "#lib/chat-api/chat.ts";
import type { FailureCode } from "./failure.ts";
import type { ConversationState } from "./state.ts";

export type ConversationStatus = "idle" | "submitted" | "streaming" | "recovering";

/** Where the latest turn stands. */
export function statusOf(state: ConversationState): ConversationStatus {
  if (state.reply !== null && state.reply.replyId !== null) {
    return state.reply.restarted ? "recovering" : "streaming";
  }
  const busy = state.pending.map(({ delivery }) => delivery.state);
  if (busy.some((delivery) => delivery === "checking" || delivery === "waiting")) return "recovering";
  return busy.some((delivery) => delivery !== "refused") ? "submitted" : "idle";
}

export function modeOf(state: ConversationState): ChatMode {
  return state.chat?.mode ?? "agent";
}

/** The message whose form, if any, is the one that can be filled in; earlier ones are history. */
export function latestFormMessageId({ messages }: ConversationState): string | null {
  return messages.findLast(({ collection }) => collection?.request)?.id ?? null;
}

/** The latest offer to pass the chat to the team; only that one can be accepted. */
export function latestOfferMessageId({ messages }: Pick<ConversationState, "messages">): string | null {
  return messages.findLast(({ handoffOffer }) => handoffOffer !== null)?.id ?? null;
}

/** Messages of the other side that the customer has not had on screen. */
export function unreadCountOf(state: ConversationState): number {
  const seen = state.messages.findIndex(({ id }) => id === state.seenId);
  return state.messages.slice(seen + 1).filter(({ role }) => role !== "visitor").length;
}

/**
 * Why nothing more can be sent in this chat; null when it can. `chat_closed` and the like end the chat for good,
 * `chat_unavailable` and the like end it until a try succeeds.
 */
export function closedBy(state: ConversationState): FailureCode | null {
  if (modeOf(state) === "resolved") return "chat_closed";
  if (state.history.state === "failed" && state.history.failure !== null) {
    const { code } = state.history.failure;
    if (code === "chat_not_found" || code === "invalid_id" || isOutOfService(code)) return code;
  }
  const refusals = state.pending.flatMap(({ delivery }) =>
    delivery.state === "refused" ? [delivery.failure.code] : [],
  );
  return (
    refusals.find((code) => code === "operation_capacity_reached" || code === "chat_not_found") ??
    refusals.find(isOutOfService) ??
    null
  );
}

/** The operator's fault: nothing that the customer sends would arrive. */
export function isOutOfService(code: FailureCode): boolean {
  return (
    code === "chat_unavailable" ||
    code === "invalid_api_key" ||
    code === "origin_not_allowed" ||
    code === "channel_disabled" ||
    code === "workspace_suspended" ||
    code === "not_found"
  );
}
