/**
 * The chat's logic for one browser tab: the conversation on screen, the outbox and its delivery, the reading
 * of messages, and what this browser remembers. Components read its state and call its methods.
 * `create-chat-runtime.ts` puts it together.
 */
import type { ChatClient, Fetch } from "../chat-client/client.ts";
import type { Alarm } from "./alarm.ts";
import type { RememberedChat } from "./chats/chat-list.ts";
import type { Draft } from "./chats/draft.ts";
import type { ConversationRef } from "./conversation-ref.ts";
import type { OutboxRecord } from "./outbox/outbox.ts";
import type { ConversationAction } from "./state/reducer.ts";
import type { ConversationState } from "./state/state.ts";

/** Unsent content written since the runtime was created: the draft's text and the undelivered messages. */
export interface Unsent {
  text: string;
  records: readonly OutboxRecord[];
}

export interface ChatRuntime {
  getState(): ConversationState;
  subscribe(listener: () => void): () => void;
  /** Applies an action to the conversation in all tabs, whether it is on screen or not. */
  publish(conversation: ConversationRef, action: ConversationAction): void;
  client: ChatClient;
  /** The same client with another `fetch`, such as one that reports upload progress. */
  clientWith(send: Fetch): ChatClient;
  chats: Chats;
  history: History;
  delivery: Delivery;
  draft: DraftStore;
  /** Waits for the given time. By default the network's return ends the wait early. */
  sleep: Alarm["sleep"];
  /** False while the browser could not store some data, which then lasts only as long as the page. */
  isLasting(): boolean;
  /** Competes with other tabs for polling; see `competeForLead`. */
  lead(name: string, onChange: (leads: boolean) => void): () => void;
  /**
   * Removes and returns the unsent content, for another customer's runtime that replaces this one. Content
   * that is not taken stays stored. Works after `close`, too.
   */
  takeUnsent(): Unsent;
  close(): void;
}

/** The customer's conversations. */
export interface Chats {
  /** The chats that this browser remembers. */
  list(): RememberedChat[];
  forget(chatId: string): void;
  open(chatId: string): void;
  /**
   * Opens a new conversation, or the one that was left before it had a chat, and copies the draft's text into
   * it. The draft's files stay with their chat.
   */
  openNew(): void;
  /**
   * Shows the conversation that this browser's tabs have opened last, or stores this one as the last. Call it
   * when the customer begins to use the chat.
   */
  resume(): void;
  /**
   * Replaces a conversation that accepts no more messages or files. The texts of its draft and its refused
   * messages move to the new one, which names the files to choose again.
   */
  startOver(): void;
  /**
   * Returns the chat's ID. Creates the chat if there is none: an upload needs one before the first message.
   */
  require(): Promise<string>;
}

/** The messages of the conversation on screen. */
export interface History {
  /** Reads the chat's latest messages again after a failure. */
  reload(): void;
  /** Loads more earlier messages. Never rejects. */
  loadOlder(): Promise<void>;
  /** Polls for messages and the chat's state. Rejects when that fails. */
  sync(): Promise<void>;
  /**
   * Polls now and a few more times until there is news, which may follow the last action in this
   * conversation. Does nothing if another one is on screen by now. Never rejects.
   */
  syncSoon(conversation: ConversationRef): Promise<void>;
  /**
   * Moves the unread mark to the first unread message, for a customer who has returned to the conversation.
   */
  markLookedAt(): void;
  /** The message is on screen: marks it and all before it as read. */
  markSeen(messageId: string): void;
}

/** Sends, retries and takes back the customer's messages. */
export interface Delivery {
  send(draft: Pick<Draft, "text" | "files">): void;
  /** Sends a refused message again, under a new key if the old one cannot be reused. */
  retry(key: string): void;
  /** Ends the waits for the connection: repeats the requests whose outcome is in doubt at once. */
  tryNow(): void;
  /** Removes a refused message and returns its content. */
  takeBack(key: string): Draft;
  /** Stops showing the reply, which the agent finishes anyway. */
  stopShowing(): void;
}

/** The text and files in the composer of the conversation on screen, stored on each change. */
export interface DraftStore {
  get(): Draft;
  /** `uploaded` names the file whose upload has just finished. */
  set(draft: Draft, uploaded?: string): void;
  /**
   * Stores the names of this conversation's chosen files that are not attached yet. After a reload the
   * customer must choose them again.
   */
  holdUploads(names: readonly string[], createKey: string): void;
  /** Marks the files of unfinished uploads as lost: the customer must choose them again. */
  loseUploads(): void;
}
