/** Complete values from a few arguments, for the gallery and the tests. */
import type { Chat } from "../../chat-api/chat.ts";
import type { Collection, CollectionRequest } from "../../chat-api/collection.ts";
import type { File, Message, Product } from "../../chat-api/message.ts";
import * as contract from "../../chat-api/testing/builders.ts";
import type { OutboxRecord } from "../outbox/outbox.ts";
import {
  type ConversationState,
  type Delivery,
  emptyConversation,
  type PendingMessage,
  type ReplyInProgress,
} from "../state/state.ts";

export const chatId = "chat_gallery_1";

export function aChat(overrides: Partial<Chat> = {}): Chat {
  const time = "2026-06-02T09:00:00.000Z";
  return contract.aChat({ id: chatId, createdAt: time, updatedAt: time, ...overrides });
}

/** Counts messages, so that each has its own ID. Never reset: IDs only have to differ. */
let made = 0;

export function aMessage(overrides: Partial<Message> = {}): Message {
  made += 1;
  return contract.aMessage({
    id: `message_${made}`,
    chatId,
    role: "agent",
    text: "Yes, we deliver to Ireland.",
    createdAt: "2026-06-02T09:30:00.000Z",
    ...overrides,
  });
}

export function aProduct(overrides: Partial<Product> = {}): Product {
  made += 1;
  return contract.aProduct({ id: `product_${made}`, ...overrides });
}

export function aFile(overrides: Partial<File> = {}): File {
  made += 1;
  return contract.aFile({
    id: `file_0000${made}`,
    chatId,
    filename: "rear-hub.jpg",
    mediaType: "image/jpeg",
    byteSize: 1_482_113,
    createdAt: "2026-06-02T09:29:00.000Z",
    ...overrides,
  });
}

export const aCollection = (overrides: Partial<Collection> = {}) =>
  contract.aCollection({ version: 1, ...overrides });

export function aRequest(overrides: Partial<CollectionRequest> = {}): CollectionRequest {
  return {
    id: "request-1",
    collectionId: "c",
    purpose: "",
    fields: [],
    complete: false,
    canSkip: false,
    canCancel: false,
    ...overrides,
  };
}

export function aRecord(overrides: Partial<OutboxRecord> = {}): OutboxRecord {
  made += 1;
  return {
    key: `key-0000-${made}`,
    createKey: "create-0000-1",
    chatId,
    locale: "en",
    text: "Do you deliver to Ireland?",
    files: [],
    afterMessageId: null,
    takenIds: [],
    createdAt: 1_780_000_000_000 + made,
    attempted: true,
    pause: null,
    refusal: null,
    ...overrides,
  };
}

export function aPending(delivery: Delivery, record: Partial<OutboxRecord> = {}): PendingMessage {
  return { record: aRecord(record), delivery };
}

export function aReply(key: string, overrides: Partial<ReplyInProgress> = {}): ReplyInProgress {
  return { key, replyId: "reply_1", text: "Half an", newText: null, stoppedAt: null, ...overrides };
}

export function aConversation(overrides: Partial<ConversationState> = {}): ConversationState {
  return {
    ...emptyConversation({ chatId, createKey: "create-0000-1" }),
    chat: aChat(),
    history: { state: "ready", failure: null, retryAt: null, hasOlder: false, older: "idle" },
    ...overrides,
  };
}
