/**
 * The latest messages of the chats that this process has answered last, so that their next turn does not read
 * them again. Updated at the end of each turn. An entry is valid only while the chat's version is the same,
 * because every change of the chat advances it.
 */
import { LRUCache } from "lru-cache";
import type { Message, MessageTurn } from "#lib/chat-api/message.ts";
import { turnLimits } from "../base/channel-limits.ts";
import type { ChatRow } from "../chats/chat-row.ts";

interface Recent {
  version: string;
  messages: readonly Message[];
}

/** Total characters of all chats. */
const maxSize = 16 * 1024 * 1024;
/** The assumed size of a message beside its text, and of each of its parts. */
const messageSize = 500;
const partSize = 1_000;

export class RecentMessages {
  readonly #chats = new LRUCache<string, Recent>({
    maxSize,
    sizeCalculation: ({ messages }) =>
      messages.reduce((size, message) => size + sizeOf(message), messageSize),
  });

  /** The chat's latest messages, oldest first; undefined unless they are known for this version of it. */
  of(chat: Pick<ChatRow, "id" | "updatedAt">): readonly Message[] | undefined {
    const recent = this.#chats.get(chat.id);
    return recent?.version === chat.updatedAt.toISOString() ? recent.messages : undefined;
  }

  /** `history` are the latest messages before the turn. */
  add(history: readonly Message[], { message, reply, chat }: MessageTurn): void {
    const messages = [...history, message, ...(reply === null ? [] : [reply])];
    this.#chats.set(chat.id, {
      version: chat.updatedAt,
      messages: messages.slice(-turnLimits.historyMessages),
    });
  }
}

/** Estimates the message's size in characters, without encoding it. */
function sizeOf({ text, ...message }: Message): number {
  const parts = Object.values(message).filter(Array.isArray).flat().length;
  return text.length + messageSize + parts * partSize;
}
