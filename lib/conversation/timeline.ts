/** The conversation as rows from top to bottom: what stands between messages, and which messages belong together. */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { Message, MessageRole } from "#lib/chat-api/message.ts";
import { findDelivered } from "./delivery.ts";
import { conversationLimits } from "./limits.ts";
import { latestOfferMessageId } from "./selectors.ts";
import type { ConversationState, PendingMessage, ReplyInProgress } from "./state.ts";

export type TimelineRow =
  /** The chat's beginning is no longer kept. */
  | { kind: "history_incomplete"; id: string }
  /** `day` is a calendar day in the customer's zone, `YYYY-MM-DD`; `at` a moment of it. */
  | { kind: "day"; id: string; day: string; at: string }
  | { kind: "unread"; id: string }
  | { kind: "message"; id: string; message: Message; startsGroup: boolean; endsGroup: boolean }
  /** A form that is open without a message that carries it. */
  | { kind: "form"; id: string; collection: Collection }
  | { kind: "pending"; id: string; pending: PendingMessage; startsGroup: boolean }
  | {
      kind: "reply";
      id: string;
      reply: ReplyInProgress;
      /** The connection is lost; the rest is being fetched. */
      isInterrupted: boolean;
      startsGroup: boolean;
    };

/** Gives the calendar day of a time in the customer's zone, or null where the time is unknown or no time. */
export type DayOf = (time: string | null) => string | null;

/** The rows of the messages from index `from` on, then of what is on its way. */
export function timelineOf(state: ConversationState, dayOf: DayOf, from = 0): readonly TimelineRow[] {
  return [...listedRows(state, dayOf, from), ...comingRows(state)];
}

/** What the rows of the messages depend on: they stay as they are while a reply is written below them. */
export type ListedPart = Pick<
  ConversationState,
  "messages" | "unreadAfterId" | "chat" | "history" | "collection"
>;

/** The rows of the messages from index `from` on. */
export function listedRows(state: ListedPart, dayOf: DayOf, from = 0): TimelineRow[] {
  const shown = state.messages.slice(from);
  const rows: TimelineRow[] = [];
  const isWhole = from === 0 && !state.history.hasOlder;
  if (isWhole && state.chat !== null && !state.chat.historyComplete) {
    rows.push({ kind: "history_incomplete", id: "history-incomplete" });
  }
  const form = looseForm(state);
  let lastDay: string | null = null;
  shown.forEach((message, index) => {
    const previous = shown[index - 1];
    const next = shown[index + 1];
    const day = dayOf(message.createdAt);
    const isNewDay = day !== null && day !== lastDay;
    if (day !== null && message.createdAt !== null && isNewDay) {
      rows.push({ kind: "day", id: `day-${day}-${message.id}`, day, at: message.createdAt });
      lastDay = day;
    }
    const isUnreadStart = previous?.id === state.unreadAfterId && previous !== undefined;
    if (isUnreadStart) rows.push({ kind: "unread", id: "unread" });
    rows.push({
      kind: "message",
      id: message.id,
      message,
      startsGroup: isNewDay || isUnreadStart || !isSameGroup(previous, message),
      endsGroup: !isSameGroup(message, next),
    });
    if (form?.afterId === message.id) rows.push(form.row);
  });
  return rows;
}

/** The rows of what is not listed yet, or never will be: an open form, messages on their way, the reply. */
export function comingRows(state: ConversationState): TimelineRow[] {
  const form = looseForm(state);
  return [...(form?.afterId === null ? [form.row] : []), ...pendingRows(state)];
}

/**
 * Passing a chat to the team may open a form that no message carries (specification, "Handoff flow", 3). It stands below
 * the offer that the customer has accepted, so that what is said from then on comes below it; where no offer is known,
 * below all messages.
 */
function looseForm({
  collection,
  messages,
}: ListedPart): { row: TimelineRow; afterId: string | null } | null {
  const request = collection?.request ?? null;
  if (collection === null || request === null) return null;
  if (messages.some((message) => message.collection?.request?.id === request.id)) return null;
  const row = { kind: "form", id: `form-${request.id}`, collection } as const;
  return { row, afterId: collection.pendingAction === "handoff" ? latestOfferMessageId({ messages }) : null };
}

function pendingRows(state: ConversationState): TimelineRow[] {
  const rows: TimelineRow[] = [];
  let role: MessageRole | null = state.messages.at(-1)?.role ?? null;
  for (const pending of state.pending) {
    const { record } = pending;
    if (!isListed(pending, state)) {
      rows.push({ kind: "pending", id: record.key, pending, startsGroup: role !== "visitor" });
      role = "visitor";
    }
    if (state.reply?.key === record.key && state.reply.replyId !== null) {
      rows.push({
        kind: "reply",
        id: state.reply.replyId,
        reply: state.reply,
        isInterrupted: pending.delivery.state !== "stored",
        startsGroup: role !== "agent",
      });
      role = "agent";
    } else if (isAwaitingReply(pending, state)) {
      const reply = { key: record.key, replyId: null, text: "", restarted: true, stoppedAt: null };
      const startsGroup = role !== "agent";
      rows.push({ kind: "reply", id: `reply-${record.key}`, reply, isInterrupted: false, startsGroup });
      role = "agent";
    }
  }
  return rows;
}

/**
 * The message is stored and its reply is being written where nobody can watch: after a reload, a channel may refuse the
 * repetition with its key until the turn is over (`turn_in_progress`), which the specification leaves open.
 */
function isAwaitingReply(
  { record, delivery }: PendingMessage,
  { chat, messages }: ConversationState,
): boolean {
  const isAskedAgain = delivery.state === "waiting" || delivery.state === "checking";
  if (!isAskedAgain || !record.attempted || (chat?.mode ?? "agent") !== "agent") return false;
  const stored = findDelivered(record, messages);
  if (stored === null) return false;
  return !messages.slice(messages.indexOf(stored)).some(({ role }) => role === "agent");
}

/** A message whose outcome is still unknown here may have been listed by a poll already: it is shown once. */
function isListed({ record, delivery }: PendingMessage, state: ConversationState): boolean {
  if (delivery.state === "refused") return false;
  if (delivery.state === "stored") return state.messages.some(({ id }) => id === delivery.messageId);
  return record.attempted && findDelivered(record, state.messages) !== null;
}

function isSameGroup(a: Message | undefined, b: Message | undefined): boolean {
  if (a === undefined || b === undefined || a.role !== b.role || a.role === "system") return false;
  if (a.author?.name !== b.author?.name) return false;
  if (a.createdAt === null || b.createdAt === null) return a.createdAt === b.createdAt;
  return Date.parse(b.createdAt) - Date.parse(a.createdAt) < conversationLimits.groupSpan;
}
