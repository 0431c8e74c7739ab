/**
 * The outbox: sent messages that are neither delivered nor withdrawn. A record is stored before the first
 * request. A reload, a second tab or a restart of the browser therefore sends the same request with the same
 * key, which the server applies once.
 */
import { errorRules } from "../../chat-api/errors.ts";
import { localeTag } from "../../chat-api/locale.ts";
import type { File } from "../../chat-api/message.ts";
import { chatIdPattern, fileIdPattern, idempotencyKeyPattern } from "../../chat-api/patterns.ts";
import { type ConversationRef, isSameConversation } from "../conversation-ref.ts";
import { type Failure, failure } from "../failure.ts";
import { fieldsOf, isRecord, parseFailure, stringsOf } from "../storage/stored.ts";

export interface OutboxRecord {
  /** Idempotency key of the message, created when Send is pressed. Also the record's identity. */
  key: string;
  /** Idempotency key of the chat's creation, for the first message of a chat. */
  createKey: string;
  /** Null until the chat has been created. */
  chatId: string | null;
  /** Language of the chat to be created: part of the request, so the same in every attempt. */
  locale: string;
  text: string;
  /** Uploaded files that go with the message. */
  files: readonly File[];
  /** The last message on screen when the customer pressed Send: the sent message is listed after it. */
  afterMessageId: string | null;
  /** Listed messages that are known to be other messages of the customer with the same content. */
  takenIds: readonly string[];
  /** When it was last sent or retried: milliseconds since 1970, by the customer's clock. */
  createdAt: number;
  /**
   * True once a request may have reached the server: then the outcome is unknown until a response arrives.
   */
  attempted: boolean;
  /** Set while the server's `Retry-After` runs: a reload does not shorten it. */
  pause: Failure | null;
  /**
   * Set when its delivery was given up. It is sent again only when the customer retries it or `lateNewsOf`
   * returns `take_up`.
   */
  refusal: Failure | null;
}

/** The fields that change with each attempt. */
export const attemptFields = [
  "createdAt",
  "attempted",
  "pause",
  "refusal",
] as const satisfies readonly (keyof OutboxRecord)[];

/** The fields that say where it is sent. The others are what the customer sent. */
export const placeFields = [
  "createKey",
  "chatId",
  "locale",
  "afterMessageId",
  "takenIds",
] as const satisfies readonly (keyof OutboxRecord)[];

/** Records of one conversation: a chat's, or those that wait for the same chat to be created. */
export function recordsOf(records: readonly OutboxRecord[], conversation: ConversationRef): OutboxRecord[] {
  return records.filter((record) => isSameConversation(record, conversation));
}

/** The request body. It must be the same in every attempt, because the server compares it under the key. */
export function bodyOf(record: OutboxRecord): { text?: string; fileIds?: string[] } {
  return {
    ...(record.text === "" ? {} : { text: record.text }),
    ...(record.files.length === 0 ? {} : { fileIds: record.files.map(({ id }) => id) }),
  };
}

/** A record of any age: a text stays until it is delivered or withdrawn. */
export function parseRecord(value: unknown): OutboxRecord | null {
  if (!isRecord(value)) return null;
  const fields = fieldsOf<Omit<OutboxRecord, "locale" | "files" | "takenIds" | "pause" | "refusal">>(value, {
    key: "",
    createKey: "",
    chatId: null,
    text: "",
    afterMessageId: null,
    createdAt: 0,
    attempted: false,
  });
  const { key, createKey, chatId } = fields;
  if (!idempotencyKeyPattern.test(key) || !idempotencyKeyPattern.test(createKey)) return null;
  if (chatId !== null && !chatIdPattern.test(chatId)) return null;
  return {
    ...fields,
    locale: localeTag(value["locale"]),
    files: parseFiles(value["files"]),
    takenIds: stringsOf(value["takenIds"]),
    pause: parseFailure(value["pause"]),
    refusal: refusalIn(value["refusal"]),
  };
}

/** A refusal with a code of another build stays one: the message must not go out by itself. */
const refusalIn = (value: unknown) => parseFailure(value) ?? (isRecord(value) ? failure("outdated") : null);

export function parseFiles(value: unknown): File[] {
  return Array.isArray(value) ? value.map(parseFile).filter((file) => file !== null) : [];
}

function parseFile(value: unknown): File | null {
  const file = fieldsOf<File>(value, {
    id: "",
    chatId: "",
    filename: "",
    mediaType: "",
    byteSize: 0,
    createdAt: "",
    expiresAt: null,
  });
  return fileIdPattern.test(file.id) ? file : null;
}

/**
 * Whether the next attempt at a refused message carries the same key. The key's age does not matter, because
 * the server keeps a message's key as long as the chat (docs/chat-api.md, "Idempotency").
 */
export function keepsKey({ code }: Failure): boolean {
  return errorRules[code].nextKey === "keep";
}
