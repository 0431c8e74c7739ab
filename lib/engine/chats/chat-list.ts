/**
 * The chats that this browser remembers: IDs, times and states, never texts. Chats of other browsers are
 * added if the host keeps a list of its customers' chats. Others can only be reached by their links.
 */
import { chatIdPattern, idempotencyKeyPattern } from "../../chat-api/patterns.ts";
import type { ConversationRef } from "../conversation-ref.ts";
import { fieldsOf, parseJson } from "../storage/stored.ts";

/**
 * The last time that a `Date` can hold (ECMAScript, "Time Values and Time Range"). The first is its negative.
 */
const latestTime = 8.64e15;

export interface RememberedChat {
  chatId: string;
  /** When it was last on screen, in milliseconds since 1970. */
  openedAt: number;
  /** The last message that was on the customer's screen. */
  seenId: string | null;
  /** True while the team has the chat or has been asked for: the closed panel then keeps polling. */
  awaitsTeam: boolean;
  /** True if the chat was resolved at the last read. Otherwise it may have been closed since. */
  isClosed: boolean;
}

export function parseChat(value: unknown): RememberedChat | null {
  const none = { chatId: "", openedAt: 0, seenId: null, awaitsTeam: false, isClosed: false };
  const chat = fieldsOf<RememberedChat>(value, none);
  if (!chatIdPattern.test(chat.chatId)) return null;
  return { ...chat, openedAt: Math.max(-latestTime, Math.min(chat.openedAt, latestTime)) };
}

export function parseConversationRef(stored: string | null): ConversationRef | null {
  const { chatId, createKey } = fieldsOf<ConversationRef>(parseJson(stored), { chatId: null, createKey: "" });
  if (!idempotencyKeyPattern.test(createKey)) return null;
  return chatId === null || chatIdPattern.test(chatId) ? { chatId, createKey } : null;
}
