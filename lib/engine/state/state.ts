/** The state of the chat in this tab, as plain data. Other tabs read their own. */
import type { Chat } from "../../chat-api/chat.ts";
import type { Collection } from "../../chat-api/collection.ts";
import type { Message } from "../../chat-api/message.ts";
import type { Draft } from "../chats/draft.ts";
import type { ConversationRef } from "../conversation-ref.ts";
import type { Failure } from "../failure.ts";
import type { OutboxRecord } from "../outbox/outbox.ts";
import type { AttachmentProblem } from "./attachments.ts";
import type { GivenFeedback } from "./feedback.ts";
import type { ChatForms } from "./forms-state.ts";

export interface ChatState {
  /** Whose chats these are; null until the server has been asked. */
  owner: string | null;
  /** The conversation on screen. */
  conversation: ConversationState;
  /** Its unsent text and files. */
  draft: Draft;
  /** The files that were chosen for it on this page and are not sent. */
  uploads: readonly Upload[];
  /** The tab's own state of its forms and its offer, besides the channel's own data. */
  forms: ChatForms;
  /** The customer's feedback on its answers; null if the host takes none. */
  feedback: GivenFeedback | null;
  /** False until the customer agrees to the host's text: then no message or file is taken. */
  hasConsent: boolean;
  /** False while the browser could not store some data, which then lasts only as long as the page. */
  isLasting: boolean;
  /** True in the tab of this browser that was the first to know the latest news, and alerts the customer. */
  leads: boolean;
}

/** A file that the customer has chosen. */
export interface Upload {
  /** Idempotency key of the upload: the server stores a file once per key, however often it is sent. */
  key: string;
  file: globalThis.File;
  /** 0 to 1. */
  progress: number;
  state: /** `waiting`: why its request waits before it is repeated; absent while it does not. */
    | { state: "uploading"; waiting?: Failure | null }
    /** One of the draft's files now. */
    | { state: "attached"; fileId: string }
    | { state: "refused"; problem: AttachmentProblem }
    | { state: "failed"; failure: Failure };
}

/** The delivery state of a sent message. */
export type Delivery =
  /** Queued behind another message of the customer. */
  | { state: "queued" }
  | { state: "sending" }
  /** A request may have arrived; the same request is repeated to learn its outcome. */
  | { state: "checking" }
  /** The same request goes out again at `at` (milliseconds since 1970). */
  | { state: "waiting"; at: number; failure: Failure }
  /** The outcome is unknown: the list is read until it has an answer or none can be expected. */
  | { state: "unsure" }
  /** The server has stored it (`start` was read); an answer may be streaming. */
  | { state: "stored"; messageId: string }
  | { state: "refused"; failure: Failure };

export interface PendingMessage {
  record: OutboxRecord;
  delivery: Delivery;
}

/** The agent's reply while it is being written. */
export interface ReplyInProgress {
  /** Idempotency key of the message that this reply answers. */
  key: string;
  /** Null while the team has the chat: no reply is expected. */
  replyId: string | null;
  text: string;
  /**
   * Set after a repeated `start`: the text since then. It replaces `text` once it is as long, so the customer
   * never sees the text shrink.
   */
  newText: string | null;
  /** Length of the text shown after Stop; null while the text is shown as it streams. */
  stoppedAt: number | null;
}

export interface History {
  /** `reading` until the latest messages are on screen. */
  state: "reading" | "ready" | "failed";
  failure: Failure | null;
  /** When a failed read is repeated, in milliseconds since 1970; null when repeating would not help. */
  retryAt: number | null;
  /** Earlier messages exist that have not been read yet. */
  hasOlder: boolean;
  older: "idle" | "reading" | "failed";
}

export interface ConversationState extends ConversationRef {
  chat: Chat | null;
  /** Oldest first, without gaps up to `listedId`. */
  messages: readonly Message[];
  /** The last message that was read in the list. Those after it came with turns, perhaps without others. */
  listedId: string | null;
  pending: readonly PendingMessage[];
  reply: ReplyInProgress | null;
  /** The last listed message that has left this browser's outbox: no answer to it is on its way. */
  settledId: string | null;
  history: History;
  /** The chat's collection, once it has been read. */
  collection: Collection | null;
  /**
   * The latest form that is no longer open, as it was requested, if no message carries it, and the message
   * below which it was. Otherwise it would vanish without notice.
   */
  endedForm: { collection: Collection; afterId: string | null } | null;
  /** The last message that was on the customer's screen. */
  seenId: string | null;
  /** Messages that have come since the customer last saw one, also those above it. */
  newIds: readonly string[];
  /** The unread mark is below this message since the customer's last return; null for no mark. */
  unreadAfterId: string | null;
  /** True when this conversation replaced a deleted one. */
  isRestarted: boolean;
  /** The latest failed poll: shown as a quiet line until the next success. */
  syncFailure: Failure | null;
}

export function emptyConversation({ chatId, createKey }: ConversationRef): ConversationState {
  return {
    chatId,
    createKey,
    chat: null,
    messages: [],
    listedId: null,
    pending: [],
    reply: null,
    settledId: null,
    history: {
      state: chatId === null ? "ready" : "reading",
      failure: null,
      retryAt: null,
      hasOlder: false,
      older: "idle",
    },
    collection: null,
    endedForm: null,
    seenId: null,
    newIds: [],
    unreadAfterId: null,
    isRestarted: false,
    syncFailure: null,
  };
}
