/** The actions of a conversation. */
import type { Chat } from "../../chat-api/chat.ts";
import type { Collection } from "../../chat-api/collection.ts";
import type { Message, MessageTurn } from "../../chat-api/message.ts";
import type { TurnStart } from "../../chat-api/turn-events.ts";
import { askedUntil, type Failure } from "../failure.ts";
import type { OutboxRecord } from "../outbox/outbox.ts";
import type { CollectionAction } from "./forms-state.ts";
import { isIn, newMessages, type ReadMessages, renewed } from "./messages.ts";
import { isCarried, openFormPlace, unreadMessagesOf } from "./selectors.ts";
import {
  type ConversationState,
  type Delivery,
  emptyConversation,
  type History,
  type PendingMessage,
  type ReplyInProgress,
} from "./state.ts";

export type ConversationAction =
  /** The conversation's chat has been created. */
  | { type: "chat_created"; chat: Chat }
  /** Another tab has created it. */
  | { type: "chat_found"; chatId: string }
  | { type: "chat_read"; chat: Chat }
  /**
   * The chat is gone, or nobody knows whether it was created: its unsent messages go to a new chat, which is
   * created under this key.
   */
  | { type: "restarted"; createKey: string; isGone: boolean }
  /** The latest messages are being requested. */
  | { type: "end_reading" }
  | ({ type: "end_read"; seenId: string | null } & ReadMessages)
  | { type: "end_failed"; failure: Failure; retryAt: number | null }
  | { type: "older_reading" }
  | ({ type: "older_read" } & ReadMessages)
  | { type: "older_failed"; failure: Failure }
  /** Messages at the chat's end, from a poll or after a form. */
  | ({ type: "news_read" } & ReadMessages)
  | { type: "sync_failed"; failure: Failure }
  /** `ended`: this tab has submitted, skipped or cancelled the form before. */
  | { type: "collection_read"; collection: Collection; ended?: { formId: string; how: CollectionAction } }
  /** The outbox as stored, including records of other tabs. */
  | { type: "outbox_changed"; records: readonly OutboxRecord[]; settledId?: string | null }
  | { type: "delivery_changed"; key: string; delivery: Delivery }
  | { type: "turn_started"; key: string; start: TurnStart }
  | { type: "turn_delta"; key: string; text: string }
  | { type: "turn_done"; key: string; turn: MessageTurn }
  /** The message left the outbox without a `done`: it was found in the list. */
  | { type: "settled"; key: string }
  | { type: "stop_showing" }
  | { type: "seen"; messageId: string }
  /** The customer returned: messages that came meanwhile appear below the unread mark. */
  | { type: "looked_at" };

export function reduceConversation(state: ConversationState, action: ConversationAction): ConversationState {
  switch (action.type) {
    case "chat_created":
      return withHistory({ ...withChat(state, action.chat), chatId: action.chat.id }, { state: "ready" });
    case "chat_found":
      return withHistory({ ...state, chatId: action.chatId }, { state: "ready" });
    case "chat_read":
      return withChat(state, action.chat);
    case "restarted":
      return {
        ...emptyConversation({ chatId: null, createKey: action.createKey }),
        pending: state.pending,
        isRestarted: action.isGone,
      };
    case "end_reading": {
      if (state.history.state === "ready") return state;
      // A new conversation has no messages to read.
      const next = state.chatId === null ? "ready" : "reading";
      return withHistory(state, { state: next, failure: null, retryAt: null });
    }
    case "end_read":
      return endRead(state, action);
    case "end_failed": {
      const { failure, retryAt } = action;
      return withHistory(state, { state: "failed", failure, retryAt });
    }
    case "older_reading":
      return withHistory(state, { older: "reading" });
    case "older_read":
      return withHistory(
        {
          ...state,
          messages: [...action.messages.filter(({ id }) => !isIn(state.messages, id)), ...state.messages],
        },
        { older: "idle", hasOlder: action.hasOlder },
      );
    case "older_failed":
      return withHistory(state, { older: "failed" });
    case "news_read":
      return withEnd(state, action);
    case "sync_failed":
      return { ...state, syncFailure: action.failure };
    case "collection_read":
      return collectionRead(state, action.collection);
    case "outbox_changed":
      return outboxChanged(state, action);
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
      return { ...state, seenId: action.messageId, newIds: [] };
    case "looked_at":
      return unreadMessagesOf(state).length === 0 ? state : { ...state, unreadAfterId: lastReadId(state) };
  }
}

function withHistory(state: ConversationState, change: Partial<History>): ConversationState {
  return { ...state, history: { ...state.history, ...change } };
}

function endRead(
  state: ConversationState,
  { seenId, ...end }: Extract<ConversationAction, { type: "end_read" }>,
): ConversationState {
  const ready = { state: "ready", failure: null, retryAt: null, older: "idle" } as const;
  const shown = withEnd({ ...withHistory(state, ready), seenId }, end);
  const read = {
    ...shown,
    // What has come may have been seen in another tab, with a later message.
    newIds: seenId === state.seenId ? shown.newIds : [],
    // The form may have changed since its message was stored.
    collection: state.collection,
  };
  // A chat opened here for the first time needs no mark: everything is new.
  return { ...read, unreadAfterId: seenId === null ? null : lastReadId(read) };
}

/** The message before the first unread one, possibly the customer's own; null when all are read. */
function lastReadId(state: ConversationState): string | null {
  const [first] = unreadMessagesOf(state);
  if (first === undefined) return null;
  // The last message seen is older than the messages loaded so far.
  if (!isIn(state.messages, state.seenId) && state.history.hasOlder) return state.seenId;
  return state.messages[state.messages.indexOf(first) - 1]?.id ?? null;
}

/**
 * Messages that were read at the chat's end continue the listed ones, in their own order, if they meet them.
 * If not, they replace them: what lies between is read again with the earlier pages. Messages that came with
 * a turn follow, unless they belong to an earlier page.
 */
function withEnd(state: ConversationState, { messages: end, hasOlder }: ReadMessages): ConversationState {
  const { messages, listedId, history } = state;
  const listed = messages.slice(0, messages.findIndex(({ id }) => id === listedId) + 1);
  const lastId = end.at(-1)?.id ?? listedId;
  /** A later read has arrived before it. */
  const isLate = isIn(listed, lastId);
  const hasGap = !isLate && !isIn(end, listedId);
  const hasEarlier = hasGap ? hasOlder : history.hasOlder;
  const meetsAt = messages.findIndex(({ id }) => isIn(end, id));
  const before = hasGap ? [] : messages.slice(0, meetsAt);
  const beginsAt = [...before, ...end][0]?.createdAt ?? "";
  const isLater = ({ id, createdAt }: Message) =>
    !isIn(end, id) && !(hasEarlier && (createdAt ?? "") < beginsAt);
  const after = messages.slice(hasGap ? listed.length : meetsAt).filter(isLater);
  const read = withMessages(state, [...before, ...end, ...after], end);
  return withHistory(
    { ...read, listedId: isLate ? listedId : lastId, syncFailure: null },
    { hasOlder: hasEarlier },
  );
}

/** A replay carries the chat's state at the time of the first answer, so a newer known state stays. */
function withChat(state: ConversationState, chat: Chat): ConversationState {
  if (state.chat !== null && (chat.id !== state.chat.id || chat.updatedAt < state.chat.updatedAt))
    return state;
  const unchanged = JSON.stringify(chat) === JSON.stringify(state.chat);
  return unchanged && state.syncFailure === null ? state : { ...state, chat, syncFailure: null };
}

/**
 * Keeps a form that no message carries and that is no longer open, so that its outcome is shown in its place.
 */
function collectionRead(state: ConversationState, read: Collection): ConversationState {
  const { collection: before } = state;
  const collection = withCollection(before, read);
  const id = before?.request?.id;
  if (before === null || id === undefined || id === collection?.request?.id || isCarried(state, id))
    return { ...state, collection };
  const afterId = openFormPlace(state) ?? state.messages.at(-1)?.id ?? null;
  return { ...state, collection, endedForm: { collection: before, afterId } };
}

/** The newer version of the collection: a late response may be older than the known state. */
function withCollection(current: Collection | null, read: Collection | null): Collection | null {
  return (current?.version ?? 0) > (read?.version ?? 0) ? current : read;
}

/**
 * A reply that the list already contains is not shown a second time as streaming. The form of a new message
 * counts as the open one until the collection is read.
 */
function withMessages(
  state: ConversationState,
  next: readonly Message[],
  read: readonly Message[],
): ConversationState {
  const messages = renewed(next, state.messages);
  const { reply } = state;
  const isListed = reply !== null && isIn(messages, reply.replyId);
  const asking = read.findLast(({ collection }) => collection !== null);
  const isNews = asking !== undefined && !isIn(state.messages, asking.id);
  const collection = isNews ? withCollection(state.collection, asking.collection) : state.collection;
  const come = newMessages(state.messages, messages, true).map(({ id }) => id);
  const newIds = come.length === 0 ? state.newIds : [...state.newIds, ...come];
  return { ...state, messages, newIds, collection, reply: isListed ? null : reply };
}

function outboxChanged(
  state: ConversationState,
  { records, settledId = null }: Extract<ConversationAction, { type: "outbox_changed" }>,
): ConversationState {
  const isKept = (sent: string | undefined) => records.some(({ key }) => key === sent);
  return {
    ...state,
    pending: pendingOf(state.pending, records),
    settledId,
    reply: isKept(state.reply?.key) ? state.reply : null,
  };
}

/** Keeps this tab's delivery states. A message that another tab delivers has the stored state. */
function pendingOf(
  pending: readonly PendingMessage[],
  records: readonly OutboxRecord[],
): readonly PendingMessage[] {
  const current = new Map(pending.map((message) => [message.record.key, message]));
  return records.map((record) => {
    const stored = initialDelivery(record);
    const { delivery = stored } = current.get(record.key) ?? {};
    const agrees = (delivery.state === "refused") === (record.refusal !== null);
    return { record, delivery: agrees && delivery.state !== "queued" ? delivery : stored };
  });
}

function initialDelivery(record: OutboxRecord): Delivery {
  if (record.refusal !== null) return { state: "refused", failure: record.refusal };
  const until = record.pause === null ? null : askedUntil(record.pause);
  if (record.pause !== null && until !== null) return { state: "waiting", at: until, failure: record.pause };
  // By another tab, unless this one says otherwise when it repeats the request.
  return { state: record.attempted ? "sending" : "queued" };
}

/** Another tab may have begun an attempt before it knew that the message was refused: it stays refused. */
function deliveryChanged(state: ConversationState, key: string, delivery: Delivery): ConversationState {
  const changes = ({ record }: PendingMessage) =>
    record.key === key && (record.refusal === null || delivery.state === "refused");
  return {
    ...state,
    pending: state.pending.map((message) => (changes(message) ? { ...message, delivery } : message)),
  };
}

/** Ignores a turn whose message has left the outbox: nothing would end its reply. */
function turnStarted(state: ConversationState, key: string, start: TurnStart): ConversationState {
  if (state.pending.every(({ record }) => record.key !== key)) return state;
  const again = state.reply?.key === key ? state.reply : null;
  // A repeated turn may have ended long ago.
  const isListed = isIn(state.messages, start.replyId);
  const begun: ReplyInProgress =
    again === null
      ? { key, replyId: start.replyId, text: "", newText: null, stoppedAt: null }
      : { ...again, replyId: start.replyId, newText: "" };
  const reply = isListed ? null : begun;
  return { ...deliveryChanged(state, key, { state: "stored", messageId: start.messageId }), reply };
}

function withDelta(reply: ReplyInProgress | null, key: string, text: string): ReplyInProgress | null {
  if (reply?.key !== key) return reply;
  if (reply.newText === null) return { ...reply, text: reply.text + text };
  const newText = reply.newText + text;
  return newText.length < reply.text.length
    ? { ...reply, newText }
    : { ...reply, text: newText, newText: null };
}

/** A turn's messages stay where they are known. Otherwise they come last, until the list is read. */
function turnDone(state: ConversationState, key: string, turn: MessageTurn): ConversationState {
  const { messages } = state;
  const came = turn.reply === null ? [turn.message] : [turn.message, turn.reply];
  const known = messages.map((message) => came.find(({ id }) => id === message.id) ?? message);
  const next = [...known, ...came.filter(({ id }) => !isIn(messages, id))];
  return withChat(withMessages(withoutPending(state, key), next, came), turn.chat);
}

function withoutPending(state: ConversationState, key: string): ConversationState {
  return {
    ...state,
    pending: state.pending.filter(({ record }) => record.key !== key),
    reply: state.reply?.key === key ? null : state.reply,
  };
}
