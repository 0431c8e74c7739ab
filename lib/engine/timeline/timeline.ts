/**
 * The conversation as rows from top to bottom: dates and notices between messages, and groups of messages.
 */
import type { Collection } from "../../chat-api/collection.ts";
import type { Message, MessageRole } from "../../chat-api/message.ts";
import * as conversationLimits from "../limits.ts";
import type { Match } from "../outbox/matching.ts";
import {
  answeredElsewhere,
  isCarried,
  isCutOff,
  matchesOf,
  openFormPlace,
  takesMessages,
} from "../state/selectors.ts";
import type { ConversationState, PendingMessage, ReplyInProgress } from "../state/state.ts";

export type TimelineRow =
  /** The chat's beginning is no longer kept. */
  | { kind: "history_incomplete"; id: string }
  /** `day` is a calendar day in the customer's time zone, `YYYY-MM-DD`; `at` is a time on that day. */
  | { kind: "day"; id: string; day: string; at: string }
  | { kind: "unread"; id: string }
  | {
      kind: "message";
      id: string;
      message: Message;
      startsGroup: boolean;
      endsGroup: boolean;
      /** True at the end of a group, unless an earlier row already shows this minute. */
      showsTime: boolean;
    }
  /** A form without a message that carries it: open, or ended while the customer was here. */
  | { kind: "form"; id: string; collection: Collection; isLatest: boolean }
  /** `isBehindReply`: it is sent when the answer in progress has ended. */
  | { kind: "pending"; id: string; pending: PendingMessage; isBehindReply: boolean; startsGroup: boolean }
  | {
      kind: "reply";
      id: string;
      reply: ReplyInProgress;
      /** `interrupted`: its end is being fetched. `cut_off`: no more will come. */
      progress: "writing" | "interrupted" | "cut_off";
      startsGroup: boolean;
    }
  /** Tells the customer about a refused message or an unknown outcome, and what they can do. */
  | {
      kind: "note";
      id: string;
      pending: PendingMessage;
      /** The keys of the messages that the button acts on; none if the next note shows the same button. */
      keys: readonly string[];
      /** The message is in the list and cannot be withdrawn. */
      isListed: boolean;
      /** The beginning of the answer is in the list, and no more will come. */
      isAnswerCutOff: boolean;
      /** The chat accepts no more messages; the remaining steps are offered once, below the list. */
      isClosed: boolean;
    };

/** The calendar day of a time in the customer's time zone; null for an unknown or invalid time. */
export type DayOf = (time: string | null) => string | null;

/** The state that message rows depend on, which does not change while a reply streams below them. */
export type ListedPart = Pick<
  ConversationState,
  "messages" | "unreadAfterId" | "chat" | "history" | "collection" | "endedForm"
>;

/** The rows of the messages. */
export function listedRows(state: ListedPart, dayOf: DayOf): TimelineRow[] {
  const { messages, history } = state;
  const rows: TimelineRow[] = [];
  if (!history.hasOlder && state.chat !== null && !state.chat.historyComplete) {
    rows.push({ kind: "history_incomplete", id: "history-incomplete" });
  }
  const form = looseForm(state);
  let lastDay: string | null = null;
  let shownMinute: number | null = null;
  messages.forEach((message, index) => {
    const previous = messages[index - 1];
    const next = messages[index + 1];
    const day = dayOf(message.createdAt);
    const isNewDay = day !== null && day !== lastDay;
    if (day !== null && message.createdAt !== null && isNewDay) {
      rows.push({ kind: "day", id: `day-${day}-${message.id}`, day, at: message.createdAt });
      lastDay = day;
    }
    const isUnreadStart = previous?.id === state.unreadAfterId && previous !== undefined;
    if (isUnreadStart) rows.push({ kind: "unread", id: "unread" });
    const endsGroup = !isSameGroup(message, next);
    const minute = message.createdAt === null ? null : Math.floor(Date.parse(message.createdAt) / 60_000);
    const showsTime = endsGroup && minute !== shownMinute;
    if (showsTime) shownMinute = minute;
    rows.push({
      kind: "message",
      id: message.id,
      message,
      startsGroup: isNewDay || isUnreadStart || !isSameGroup(previous, message),
      endsGroup,
      showsTime,
    });
    if (form?.afterId === message.id) rows.push(form.row);
  });
  return rows;
}

/** The rows of unlisted content: an open form, messages being sent, the streaming reply. */
export function unlistedRows(state: ConversationState): TimelineRow[] {
  const form = looseForm(state);
  return [...(form?.afterId === null ? [form.row] : []), ...pendingRows(state)];
}

const localDay: DayOf = (time) => (time === null ? null : new Date(time).toDateString());

/**
 * All rows of the conversation.
 * @param dayOf Names a time's day; by default the day in the browser's zone.
 */
export function timelineOf(state: ConversationState, dayOf = localDay): TimelineRow[] {
  return [...listedRows(state, dayOf), ...unlistedRows(state)];
}

/** The wait of the customer: for the sending of a message, or the next words of its answer. */
export interface PendingAnswer {
  /** The message's key. */
  key: string;
  /** Length of the answer so far. */
  length: number;
}

export function pendingAnswerOf(state: ConversationState): PendingAnswer | null {
  for (const row of pendingRows(state)) {
    if (row.kind === "pending" && row.pending.delivery.state === "sending")
      return { key: row.pending.record.key, length: 0 };
    if (row.kind === "reply" && row.progress === "writing" && row.reply.stoppedAt === null)
      return { key: row.reply.key, length: row.reply.text.length };
  }
  return null;
}

/**
 * Passing a chat to the team may open a form that no message carries (docs/chat-api.md, "Forms and
 * handoffs"). The form is shown below the accepted offer, with later messages below it; without a known
 * offer, below all messages until it ends.
 */
function looseForm(state: ListedPart): { row: TimelineRow; afterId: string | null } | null {
  const { collection } = state;
  const isOpen = collection?.request != null && !isCarried(state, collection.request.id);
  const form = isOpen ? { collection, afterId: openFormPlace(state) } : state.endedForm;
  const id = form?.collection.request?.id;
  if (form === null || id === undefined || isCarried(state, id)) return null;
  const isLatest = isOpen || collection?.request == null;
  const row = { kind: "form", id: `form-${id}`, collection: form.collection, isLatest } as const;
  return { row, afterId: form.afterId };
}

function pendingRows(state: ConversationState): TimelineRow[] {
  const rows: TimelineRow[] = [];
  const isClosed = !takesMessages(state);
  const isAnswering = state.pending.some(({ delivery }) => delivery.state === "stored");
  let role: MessageRole | null = state.messages.at(-1)?.role ?? null;
  const asked = answeredElsewhere(state);
  if (asked !== null) rows.push({ ...awaitedReply(asked.id), startsGroup: true });
  const matches = matchesOf(state);
  let sameNotes: string[] = [];
  state.pending.forEach((pending, index) => {
    const { record, delivery } = pending;
    const found = matches.get(record.key);
    const match = found?.isOwn ? found : undefined;
    const listed = isListed(pending, match, state);
    if (!listed) {
      const isBehindReply = delivery.state === "queued" && isAnswering;
      rows.push({ kind: "pending", id: record.key, pending, isBehindReply, startsGroup: role !== "visitor" });
      role = "visitor";
    }
    const reply = replyTo(pending, match, state);
    if (reply !== null) {
      rows.push({ ...reply, startsGroup: role !== "agent" });
      role = "agent";
    }
    if (delivery.state !== "refused" && delivery.state !== "unsure") return;
    sameNotes.push(record.key);
    const isSaidBelow = isSameNote(pending, state.pending[index + 1]);
    const keys = isSaidBelow ? [] : sameNotes;
    const isAnswerCutOff = reply?.progress === "cut_off";
    rows.push({
      kind: "note",
      id: `note-${record.key}`,
      pending,
      keys,
      isListed: listed,
      isAnswerCutOff,
      isClosed,
    });
    if (!isSaidBelow) sameNotes = [];
  });
  return rows;
}

function isSameNote({ delivery: a }: PendingMessage, next: PendingMessage | undefined): boolean {
  const b = next?.delivery;
  if (a.state !== "refused" || b?.state !== "refused") return false;
  const [one, other] = [a.failure, b.failure];
  return one.code === other.code && one.isListed === other.isListed && one.mode === other.mode;
}

function replyTo(
  pending: PendingMessage,
  match: Match | undefined,
  state: ConversationState,
): Omit<Extract<TimelineRow, { kind: "reply" }>, "startsGroup"> | null {
  const { key } = pending.record;
  const { reply } = state;
  if (reply?.key === key && reply.replyId !== null) {
    const isOver = isCutOff(state);
    if (isOver && reply.text === "") return null;
    const progress = isOver ? "cut_off" : pending.delivery.state === "stored" ? "writing" : "interrupted";
    return { kind: "reply", id: reply.replyId, reply, progress };
  }
  return isAwaitingReply(pending, match, state) ? awaitedReply(key) : null;
}

/** A reply of which nothing is known yet. */
function awaitedReply(key: string) {
  const reply = { key, replyId: null, text: "", newText: null, stoppedAt: null };
  return { kind: "reply", id: `reply-${key}`, reply, progress: "writing" } as const;
}

/**
 * True if the message is stored and its reply is being written, but cannot be streamed here: until the turn
 * is over, a channel may reject the request that a reloaded page repeats (`turn_in_progress`).
 */
function isAwaitingReply(
  { delivery }: PendingMessage,
  match: Match | undefined,
  { chat, messages }: ConversationState,
): boolean {
  const isAsked = ["sending", "waiting", "checking"].includes(delivery.state);
  if (!isAsked || match === undefined || (chat?.mode ?? "agent") !== "agent") return false;
  return !messages.slice(messages.indexOf(match.message)).some(({ role }) => role === "agent");
}

/** A poll may already have listed a message whose outcome is unknown here: it is shown once. */
function isListed(
  { delivery }: PendingMessage,
  match: Match | undefined,
  { messages }: ConversationState,
): boolean {
  return delivery.state === "stored"
    ? messages.some(({ id }) => id === delivery.messageId)
    : match !== undefined;
}

function isSameGroup(a: Message | undefined, b: Message | undefined): boolean {
  if (a === undefined || b === undefined || a.role !== b.role || a.role === "system") return false;
  if (a.author?.name !== b.author?.name) return false;
  if (a.createdAt === null || b.createdAt === null) return a.createdAt === b.createdAt;
  return Date.parse(b.createdAt) - Date.parse(a.createdAt) < conversationLimits.groupSpan;
}
