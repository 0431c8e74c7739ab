/** What the team sees of a chat: the customer's own view of it, and what only the channel knows. */
import type { Chat, ChatMode } from "#lib/chat-api/chat.ts";
import type { Collection } from "#lib/chat-api/collection.ts";
import type { Message } from "#lib/chat-api/message.ts";

export interface TeamChatSummary {
  chat: Chat;
  /** BCP 47, as given when the chat was created. */
  locale: string;
  /** Where to reply while the team is away; null when the customer gave no address. */
  email: string | null;
  lastMessage: { role: Message["role"]; text: string; createdAt: string | null } | null;
  /** The customer's messages since anybody else but a notice last wrote. */
  unanswered: number;
}

export interface TeamChat extends TeamChatSummary {
  /** The latest ones, oldest first. */
  messages: readonly Message[];
  /** True when there are earlier messages than those. */
  hasEarlier: boolean;
  collection: Collection;
}

/** How many chats there are in each mode. */
export type ModeCounts = Record<ChatMode, number>;
