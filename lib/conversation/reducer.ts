/** All that can happen to a conversation on screen. Other tabs reduce the same actions, so that all show the same. */
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Collection } from "#lib/chat-api/collection.ts";
import type { Message, MessageTurn } from "#lib/chat-api/message.ts";
import type { TurnStart } from "#lib/chat-api/turn-events.ts";
import { assertNever } from "./assert-never.ts";
import type { Failure } from "./failure.ts";
import { mergeMessages } from "./messages.ts";
import type { OutboxRecord } from "./outbox.ts";
import { unreadCountOf } from "./selectors.ts";
import {
  type ConversationState,
  type Delivery,
  emptyConversation,
  type PendingMessage,
  type ReplyInProgress,
} from "./state.ts";

export type ConversationAction =
  /** The chat of this conversation exists now. */
  | { type: "chat_created"; chat: Chat }
  | { type: "chat_read"; chat: Chat }
  /** The chat is gone, or nobody knows whether it was created: its messages go to a new one, under this key. */
  | { type: "restarted"; createKey: string }
  /** The chat's end is asked for. */
  | { type: "end_reading" }
  | { type: "end_read"; messages: readonly Message[]; hasOlder: boolean; seenId: string | null }
  | { type: "end_failed"; failure: Failure }
  | { type: "older_reading" }
  | { type: "older_read"; messages: readonly Message[]; hasOlder: boolean }
  | { type: "older_failed"; failure: Failure }
  /** Messages at the chat's end, from a poll or after a form. */
  | { type: "news_read"; messages: readonly Message[] }
  | { type: "sync_failed"; failure: Failure }
  | { type: "collection_read"; collection: Collection }
  /** The outbox as it lies in storage, with what is new to this tab. */
  | { type: "outbox_changed"; records: readonly OutboxRecord[] }
  | { type: "delivery_changed"; key: string; delivery: Delivery }
  | { type: "turn_started"; key: string; start: TurnStart }
  | { type: "turn_delta"; key: string; text: string }
  | { type: "turn_done"; key: string; turn: MessageTurn }
  /** The message is out of the outbox without a `done`: listed as delivered, or taken back by the customer. */
  | { type: "settled"; key: string }
  | { type: "stop_showing" }
  | { type: "seen"; messageId: string }
  /** The customer looks at the conversation again: what came meanwhile stands below the unread mark. */
  | { type: "looked_at" };

export function reduceConversation(state: ConversationState, action: ConversationAction): ConversationState {
  switch (action.type) {
    case "chat_created":
      return {
        ...state,
        chatId: action.chat.id,
        chat: action.chat,
        history: { ...state.history, state: "ready" },
      };
    case "chat_read":
      return withChat(state, action.chat);
    case "restarted":
      return {
        ...emptyConversation({ chatId: null, createKey: action.createKey }),
        pending: state.pending,
        isRestarted: true,
      };
    case "end_reading":
      return state.chatId === null || state.history.state === "ready"
        ? state
        : { ...state, history: { ...state.history, state: "reading", failure: null } };
    case "end_read":
      return endRead(state, action);
    case "end_failed":
      return { ...state, history: { ...state.history, state: "failed", failure: action.failure } };
    case "older_reading":
      return { ...state, history: { ...state.history, older: "reading" } };
    case "older_read":
      return {
        ...state,
        messages: mergeMessages(state.messages, action.messages, "oldest"),
        history: { ...state.history, older: "idle", hasOlder: action.hasOlder },
      };
    case "older_failed":
      return { ...state, history: { ...state.history, older: "failed" } };
    case "news_read":
      return withMessages({ ...state, syncFailure: null }, action.messages);
    case "sync_failed":
      return { ...state, syncFailure: action.failure };
    case "collection_read":
      return { ...state, collection: withCollection(state.collection, action.collection) };
    case "outbox_changed":
      return { ...state, pending: pendingOf(state.pending, action.records) };
    case "delivery_changed":
      return deliveryChanged(state, action.key, action.delivery);
    case "turn_started":
      return turnStarted(state, action.key, action.start);
    case "turn_delta":
      return { ...state, reply: withDelta(state.reply, action.key, action.text) };
    case "turn_done":
      return turnDone(state, action.key, action.turn);
    case "settled":
      return withoutPending(state, action.key);
    case "stop_showing":
      return state.reply === null
        ? state
        : {
            ...state,
            reply: { ...state.reply, stoppedAt: state.reply.stoppedAt ?? state.reply.text.length },
          };
    case "seen":
      return state.seenId === action.messageId ? state : { ...state, seenId: action.messageId };
    case "looked_at":
      return unreadCountOf(state) === 0 ? state : { ...state, unreadAfterId: state.seenId };
    default:
      return assertNever(action);
  }
}

function endRead(
  state: ConversationState,
  { messages, hasOlder, seenId }: Extract<ConversationAction, { type: "end_read" }>,
): ConversationState {
  const last = messages.at(-1)?.id ?? null;
  const read = withMessages(
    {
      ...state,
      messages: joinedTo(messages, state.messages),
      history: { state: "ready", failure: null, hasOlder, older: "idle" },
      seenId,
      unreadAfterId: seenId === last ? null : seenId,
      syncFailure: null,
    },
    messages,
  );
  // What has become of a form since its message is not known yet.
  return { ...read, collection: state.collection };
}

/**
 * What is known, in its place to this end of the chat. Where they have no message in common, what was known before it is
 * left out: others may lie between, which are read with the earlier messages. What was sent since follows it.
 */
function joinedTo(end: readonly Message[], known: readonly Message[]): readonly Message[] {
  if (known.some(({ id }) => end.some((message) => message.id === id))) return known;
  const until = end.at(-1)?.createdAt ?? "";
  return [...end, ...known.filter(({ createdAt }) => createdAt !== null && createdAt > until)];
}

/** A replay brings the chat as it was then: what is known to be newer stays. */
function withChat(state: ConversationState, chat: Chat): ConversationState {
  if (state.chat !== null && (chat.id !== state.chat.id || chat.updatedAt < state.chat.updatedAt))
    return state;
  const unchanged = JSON.stringify(chat) === JSON.stringify(state.chat);
  return unchanged && state.syncFailure === null ? state : { ...state, chat, syncFailure: null };
}

/** Answers that arrive late are older than what is known. */
function withCollection(known: Collection | null, read: Collection | null): Collection | null {
  return (known?.version ?? 0) > (read?.version ?? 0) ? known : read;
}

/**
 * New messages at the end; a reply that the list already holds is not shown a second time as being written. A form that
 * a new message brings is what is asked now, until the collection is read.
 */
function withMessages(state: ConversationState, read: readonly Message[]): ConversationState {
  const messages = mergeMessages(state.messages, read, "newest");
  const { reply } = state;
  const isListed = reply !== null && messages.some(({ id }) => id === reply.replyId);
  const asking = read.findLast(({ collection }) => collection !== null);
  const isNews = asking !== undefined && !state.messages.some(({ id }) => id === asking.id);
  const collection = isNews ? withCollection(state.collection, asking.collection) : state.collection;
  return { ...state, messages, collection, reply: isListed ? null : reply };
}

/** Keeps what this tab knows of each delivery; records new to it start from what was stored. */
function pendingOf(
  pending: readonly PendingMessage[],
  records: readonly OutboxRecord[],
): readonly PendingMessage[] {
  const known = new Map(pending.map((message) => [message.record.key, message]));
  return records.map((record) => {
    const delivery = known.get(record.key)?.delivery ?? initialDelivery(record);
    const agrees = (delivery.state === "refused") === (record.refusal !== null);
    return { record, delivery: agrees ? delivery : initialDelivery(record) };
  });
}

function initialDelivery(record: OutboxRecord): Delivery {
  if (record.refusal !== null) return { state: "refused", failure: record.refusal };
  return record.attempted ? { state: "checking" } : { state: "queued" };
}

function deliveryChanged(state: ConversationState, key: string, delivery: Delivery): ConversationState {
  return {
    ...state,
    pending: state.pending.map((message) =>
      message.record.key === key ? { ...message, delivery } : message,
    ),
    reply: delivery.state === "refused" && state.reply?.key === key ? null : state.reply,
  };
}

function turnStarted(state: ConversationState, key: string, start: TurnStart): ConversationState {
  const again = state.reply?.key === key ? state.reply : null;
  const reply: ReplyInProgress =
    again === null
      ? { key, replyId: start.replyId, text: "", restarted: false, stoppedAt: null }
      : { ...again, replyId: start.replyId, restarted: true };
  return { ...deliveryChanged(state, key, { state: "stored", messageId: start.messageId }), reply };
}

function withDelta(reply: ReplyInProgress | null, key: string, text: string): ReplyInProgress | null {
  if (reply?.key !== key) return reply;
  return { ...reply, text: reply.restarted ? text : reply.text + text, restarted: false };
}

function turnDone(state: ConversationState, key: string, turn: MessageTurn): ConversationState {
  const messages = turn.reply === null ? [turn.message] : [turn.message, turn.reply];
  const settled = withoutPending(state, key);
  return withChat(withMessages(settled, messages), turn.chat);
}

function withoutPending(state: ConversationState, key: string): ConversationState {
  return {
    ...state,
    pending: state.pending.filter(({ record }) => record.key !== key),
    reply: state.reply?.key === key ? null : state.reply,
  };
}
