import type { Fetch } from "../chat-client/connection.ts";
import type { Browser } from "./browser/browser.ts";
import type { Remembered } from "./chats/remembered.ts";
import type { ConversationRef } from "./conversation-ref.ts";
import type { Failure, FailureOf } from "./failure.ts";
import type { Session } from "./identity/session.ts";
import type { OutboxStore } from "./outbox/outbox-store.ts";
import type { Pauses } from "./pauses.ts";
import type { ChatEvent } from "./state/events.ts";
import type { ConversationAction } from "./state/reducer.ts";
import type { ConversationState } from "./state/state.ts";
import type { ChatStore } from "./state/store.ts";
import type { ChatStorage, Storages } from "./storage/storage.ts";
import type { Tabs } from "./tabs/tabs.ts";

export interface OwnerOptions {
  owner: string;
  storages: Storages;
  browser: Browser;
  tabs: Tabs;
  session: Session;
  store: ChatStore;
  /** BCP 47; the language of new chats. */
  locale(): string;
  failureOf: FailureOf;
  /** Tells the host what happened in this tab. */
  tell(event: ChatEvent): void;
}

/** Dependencies that the parts of an owner's chats share. Each takes what it needs. */
export interface OwnerParts extends OwnerOptions {
  /** Aborts when they close: from then on the parts can send, store and show nothing. */
  signal: AbortSignal;
  /** The owner's entries, and this tab's. */
  storage: ChatStorage;
  tab: ChatStorage;
  send: Fetch;
  outbox: OutboxStore;
  remembered: Remembered;
  pauses: Pauses;
  sleep: Pauses["sleep"];
  isOnline(): boolean;
  /** Applies the action to the conversation, stores what outlives the page, and tells host and other tabs. */
  publish(conversation: ConversationRef, action: ConversationAction): void;
  /**
   * Takes a chat that the server does not know off this browser's list. Returns true if another conversation
   * is on screen now.
   */
  onGone(chatId: string): boolean;
  /** Shows at once that the chat has ended, if the failure says so. Otherwise returns false. */
  showEnd(conversation: ConversationState, failure: Failure): boolean;
}
