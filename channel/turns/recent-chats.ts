/**
 * The chats that this process has answered last, so that their next turn reads neither the chat nor its
 * messages. Updated at the end of each turn. An entry is valid only while the chat's version is the same,
 * because every change of the chat advances it: a writer that relies on an entry must require
 * that version.
 */
import { LRUCache } from "lru-cache";
import type { Message } from "#lib/chat-api/message.ts";
import { turnLimits } from "../base/channel-limits.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import type { ChatRef } from "../chats/chat-store.ts";
import type { CollectionState } from "../db/documents.ts";

/** A chat as its last turn left it. */
export interface RecentChat {
  chat: ChatRow;
  /** Null: nothing was collected. */
  collection: CollectionState | null;
  /** The latest, oldest first. */
  messages: readonly Message[];
}

/** Total characters of all chats. */
const maxSize = 16 * 1024 * 1024;
/** The assumed size of a chat, of a message beside its text, and of each of its parts. */
const chatSize = 1_500;
const messageSize = 500;
const partSize = 1_000;

export class RecentChats {
  readonly #chats = new LRUCache<string, RecentChat>({
    maxSize,
    sizeCalculation: ({ collection, messages }) =>
      messages.reduce(
        (size, message) => size + sizeOf(message),
        chatSize + partSize * ((collection?.fields.length ?? 0) + (collection?.values.length ?? 0)),
      ),
  });

  find({ channelKey, chatId }: ChatRef): RecentChat | undefined {
    const recent = this.#chats.get(chatId);
    return recent?.chat.channelKey === channelKey ? recent : undefined;
  }

  /** The chat's latest messages, oldest first; undefined unless they are known for this version of it. */
  messagesOf(chat: Pick<ChatRow, "id" | "updatedAt">): readonly Message[] | undefined {
    const recent = this.#chats.get(chat.id);
    return recent?.chat.updatedAt.getTime() === chat.updatedAt.getTime() ? recent.messages : undefined;
  }

  add({ chat, collection, messages }: RecentChat): void {
    this.#chats.set(chat.id, { chat, collection, messages: messages.slice(-turnLimits.historyMessages) });
  }
}

/** Estimates the message's size in characters, without encoding it. */
function sizeOf(message: Message): number {
  let parts = 0;
  for (const value of Object.values(message)) if (Array.isArray(value)) parts += value.length;
  return message.text.length + messageSize + parts * partSize;
}
