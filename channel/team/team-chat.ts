/** The team's view of a chat: the customer's view, plus data that the Chat API does not show. */
import type { Chat, ChatMode } from "#lib/chat-api/chat.ts";
import type { Collection } from "#lib/chat-api/collection.ts";
import type { Message } from "#lib/chat-api/message.ts";

export interface TeamChatSummary {
  chat: Chat;
  /** BCP 47, as given when the chat was created. */
  locale: string;
  /** Where to reply while the team is away; null if the customer gave no address. */
  email: string | null;
  lastMessage: { role: Message["role"]; text: string; createdAt: string | null } | null;
  /** The number of the customer's messages since the last answer. */
  unanswered: number;
  /** Since when the customer waits: for a teammate, or for the teammate's answer. Null while nobody waits. */
  waitingSince: string | null;
}

export interface TeamChat extends TeamChatSummary {
  /** The latest messages, oldest first. */
  messages: readonly Message[];
  hasEarlier: boolean;
  collection: Collection;
}

export type ModeCounts = Record<ChatMode, number>;
