/**
 * Whose chat is it? Anyone who holds the chat key can read every chat (specification, "Authentication", 7), so this is
 * the access control. The Chat API itself is asked: a chat's `userId` never changes, hence the cache, and no database.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Chat } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { bffLimits } from "./limits.ts";
import type { LogFacts } from "./log.ts";

/** Adds to the log line of the request that causes a read. */
type Note = (facts: LogFacts) => void;

export interface Ownership {
  /**
   * Resolves for the owner: with the chat where it had to be read, with undefined where the owner was known.
   * @throws ChatApiError `chat_not_found`, the same for foreign, unknown and deleted chats.
   */
  require(userId: string, chatId: string, note?: Note): Promise<Chat | undefined>;
  /** The Chat API says that the chat is gone. */
  forget(chatId: string): void;
}

export function createOwnership(readChat: (chatId: string, note?: Note) => Promise<Chat>): Ownership {
  const owners = new LRUCache<string, string>({ max: bffLimits.ownedChats, ttl: bffLimits.ownedChatTime });
  // A page that opens asks for the chat, its messages and its form at once: they share one read. Emptied as reads end.
  const reads = new Map<string, Promise<Chat>>();

  function read(chatId: string, note?: Note): Promise<Chat> {
    const running = reads.get(chatId);
    if (running !== undefined) return running;
    const reading = readChat(chatId, note).finally(() => reads.delete(chatId));
    reads.set(chatId, reading);
    return reading;
  }

  return {
    async require(userId, chatId, note) {
      const known = owners.get(chatId);
      if (known !== undefined) {
        requireSame(known, userId);
        return undefined;
      }
      const chat = await read(chatId, note);
      owners.set(chatId, chat.userId);
      requireSame(chat.userId, userId);
      return chat;
    },
    forget(chatId) {
      owners.delete(chatId);
    },
  };
}

function requireSame(owner: string, userId: string): void {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  if (!timingSafeEqual(digest(owner), digest(userId))) throw new ChatApiError("chat_not_found");
}
