/** The state of one conversation on screen. Plain data: other tabs receive it as it is. */
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Collection } from "#lib/chat-api/collection.ts";
import type { Message } from "#lib/chat-api/message.ts";
import type { ConversationRef } from "./conversation-ref.ts";
import type { Failure } from "./failure.ts";
import type { OutboxRecord } from "./outbox.ts";

/** How far a message that the customer sent has come. */
export type Delivery =
  /** Stands behind another message of the customer's. */
  | { state: "queued" }
  | { state: "sending" }
  /** A request may have arrived: the same one is under way again to learn what became of it. */
  | { state: "checking" }
  /** The same request goes out again at `at` (milliseconds since 1970). */
  | { state: "waiting"; at: number; failure: Failure }
  /** The server has it (`start` was read); the answer is on its way. */
  | { state: "stored"; messageId: string }
  | { state: "refused"; failure: Failure };

export interface PendingMessage {
  record: OutboxRecord;
  delivery: Delivery;
}

/** The agent's reply while it is being written. */
export interface ReplyInProgress {
  /** Key of the message that is answered. */
  key: string;
  /** Null while the chat is with the team: then there is nothing to wait for. */
  replyId: string | null;
  text: string;
  /**
   * True after a repeated `start`: the next delta brings the whole text so far and takes the place of `text`, which
   * stays on screen until then.
   */
  restarted: boolean;
  /** How much of the text is shown after the customer pressed Stop; null while it is shown as it comes. */
  stoppedAt: number | null;
}

export interface History {
  /** `reading` until the chat's end is on screen. */
  state: "reading" | "ready" | "failed";
  failure: Failure | null;
  /** Earlier messages exist that have not been read yet. */
  hasOlder: boolean;
  older: "idle" | "reading" | "failed";
}

export interface ConversationState extends ConversationRef {
  chat: Chat | null;
  /** Oldest first, without gaps. */
  messages: readonly Message[];
  pending: readonly PendingMessage[];
  reply: ReplyInProgress | null;
  history: History;
  /** The details collected in this chat, once somebody asked for them. */
  collection: Collection | null;
  /** The last message that the customer has had on screen. */
  seenId: string | null;
  /** The last message seen before the conversation was opened this time: the unread mark stands below it. */
  unreadAfterId: string | null;
  /** True when this conversation took the place of one that is gone. */
  isRestarted: boolean;
  /** The latest failed reading (polling, focus): shown as a quiet line, gone with the next success. */
  syncFailure: Failure | null;
}

export function emptyConversation({ chatId, createKey }: ConversationRef): ConversationState {
  return {
    chatId,
    createKey,
    chat: null,
    messages: [],
    pending: [],
    reply: null,
    history: {
      state: chatId === null ? "ready" : "reading",
      failure: null,
      hasOlder: false,
      older: "idle",
    },
    collection: null,
    seenId: null,
    unreadAfterId: null,
    isRestarted: false,
    syncFailure: null,
  };
}
