/**
 * The chats that this process has answered most recently, so that their next turn reads neither the chat nor
 * its messages. An entry is added when a message has been answered without side effects. Every visible change
 * of a chat advances its version (`updatedAt`): a writer that relies on an entry must require that version.
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
  /** The chat's latest messages, oldest first. */
  messages: readonly Message[];
}

/** Maximum size of all chats in characters. */
const maxSize = 16 * 1024 * 1024;
/** Assumed sizes in characters: of a chat, of a message without its text, and of each part of either. */
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

  /**
   * The chat's latest messages, oldest first; undefined unless they are known for this version of the chat.
   */
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
