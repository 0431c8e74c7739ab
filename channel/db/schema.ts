/**
 * Every table of the channel. Rows belong to a channel key, so that one database can hold several channels.
 * Most also belong to a chat and are deleted with it (`on delete cascade`).
 *
 * Times named `…At` follow the channel's clock, which the lab can move. `lease_until` follows the database's
 * clock: the lab must not affect whether a process counts as alive.
 */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { ChatMode, HandoffStatus } from "#lib/chat-api/chat.ts";
import type { CollectionValue, Field } from "#lib/chat-api/collection.ts";
import type { Message, MessagePart, MessageRole } from "#lib/chat-api/message.ts";
import type { FormRequest } from "../agents/agent.ts";
import type { TeamHours } from "./team-hours.ts";

/** A moment with milliseconds, the precision of the Chat API. */
const time = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/**
 * A JSON value stored as text. `jsonb` reorders keys, rewrites numbers and refuses lone surrogates, but a
 * replay must return exactly the first result.
 */
const jsonText = <T>() =>
  customType<{ data: T; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => JSON.stringify(value),
    // Written by `toDriver` above, from a T.
    fromDriver: (text) => JSON.parse(text) as T,
  })();

const bytes = customType<{ data: Uint8Array<ArrayBuffer>; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

export const channels = pgTable("channels", {
  key: text().primaryKey(),
  /** The keys of a channel that the lab has created; null for the channel of the environment. */
  chatKey: text(),
  teamKey: text().unique("channels_team_key"),
  published: boolean().notNull().default(true),
  suspended: boolean().notNull().default(false),
  clockOffsetMs: bigint({ mode: "number" }).notNull().default(0),
  /** The team's hours; null means always available. */
  hours: jsonText<TeamHours>(),
  /** Signs cursors. After a change of the secret, no earlier cursor is accepted. */
  cursorSecret: text().notNull(),
  /**
   * The previous secret, from before the lab expired all cursors. A cursor with it is expired, not invalid.
   */
  expiredCursorSecret: text(),
});

/** The number of a channel's chats, in several rows (`chats/chat-store.ts`). */
export const chatCounts = pgTable(
  "chat_counts",
  {
    channelKey: text().notNull(),
    part: integer().notNull(),
    chats: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.channelKey, table.part] })],
);

export const chats = pgTable(
  "chats",
  {
    id: text().primaryKey(),
    channelKey: text()
      .notNull()
      .references(() => channels.key),
    userId: text().notNull(),
    locale: text().notNull(),
    mode: text().$type<ChatMode>().notNull(),
    teammateName: text(),
    createdAt: time().notNull(),
    /** Advances with every visible change of the chat, and serves as the row's version (`nextVersion`). */
    updatedAt: time().notNull(),
    resolvedAt: time(),
    historyComplete: boolean().notNull().default(true),
    /** The latest handoff. The ledger keeps the requests that led to handoffs. */
    handoffStatus: text().$type<HandoffStatus>(),
    handoffRequestedAt: time(),
    handoffRequiresEmail: boolean(),
    handoffNextAvailableAt: time(),
    handoffTimezone: text(),
    /** Where the team replies; null if the customer gave no address. */
    handoffEmail: text(),
    /** The operation whose turn is running; there is never more than one. */
    activeOperationId: text(),
    /** The sequence of the latest message. */
    lastSequence: integer().notNull().default(0),
    /** Sends, submissions and handoffs so far, without replays. */
    operationCount: integer().notNull().default(0),
    /** The only offer that a handoff may accept while the agent has the chat. Team actions reset it. */
    latestOffer: jsonText<StoredOffer>(),
  },
  (table) => [
    index("chats_by_channel").on(table.channelKey, table.createdAt, table.id),
    index("chats_by_mode").on(table.channelKey, table.mode, table.updatedAt),
  ],
);

export const messages = pgTable(
  "messages",
  {
    id: text().primaryKey(),
    chatId: text()
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    /** Orders the chat's messages: timestamps can be equal. */
    sequence: integer().notNull(),
    role: text().$type<MessageRole>().notNull(),
    text: text().notNull(),
    /** Null for messages that were imported without a time. */
    createdAt: time(),
    authorName: text(),
    attachments: jsonText<Attachments>().notNull().default(sql`'{}'`),
    /** The turn that wrote the message. Unique: a turn has at most one reply. */
    replyOfOperationId: text().unique("messages_one_reply_per_turn"),
  },
  (table) => [
    uniqueIndex("messages_in_order").on(table.chatId, table.sequence),
    index("messages_by_age").on(table.createdAt),
  ],
);

/** The ledger: one row per recorded idempotency key (docs/chat-api.md, "Idempotency"). */
export const operations = pgTable(
  "operations",
  {
    id: text().primaryKey(),
    channelKey: text().notNull(),
    /**
     * The caller's idempotency key. Turns that the channel starts itself use keys that no caller can send.
     */
    key: text().notNull(),
    kind: text().$type<OperationKind>().notNull(),
    chatId: text()
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    fingerprint: text().notNull(),
    state: text().$type<OperationState>().notNull(),
    /** Identifies the attempt that may write: writes with an older fence change nothing. */
    fence: integer().notNull().default(1),
    attempts: integer().notNull().default(1),
    /** The process that runs the attempt, and its lease; null when nothing runs. */
    owner: integer(),
    leaseUntil: time(),
    /** The customer's message; null for operations other than a send. */
    messageId: text(),
    /** Reserved when the turn starts, so that the `start` event can name it. */
    replyId: text(),
    /** The cause of a turn that does not answer a message. */
    trigger: jsonText<{ collectionId: string; action: "save" | "skip" | "cancel" }>(),
    /** The item that a replay returns; null for a created chat, which is returned in its current state. */
    result: jsonText<unknown>(),
    errorCode: text(),
    /** The text that the running attempt has streamed, for readers in other processes. */
    streamedText: text(),
    createdAt: time().notNull(),
    finishedAt: time(),
  },
  (table) => [
    uniqueIndex("operations_by_key").on(table.channelKey, table.key),
    index("operations_of_chat").on(table.chatId),
    index("operations_running").on(table.channelKey, table.createdAt).where(sql`${table.state} = 'running'`),
    index("operations_creating")
      .on(table.channelKey, table.createdAt)
      .where(sql`${table.kind} = 'createChat'`),
  ],
);

/** Create keys whose chat was deleted. A hash is enough to recognise one. */
export const keyTombstones = pgTable(
  "key_tombstones",
  {
    channelKey: text().notNull(),
    keyHash: text().notNull(),
    until: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channelKey, table.keyHash] }),
    index("key_tombstones_until").on(table.channelKey, table.until),
  ],
);

export const files = pgTable(
  "files",
  {
    id: text().primaryKey(),
    chatId: text()
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    filename: text().notNull(),
    mediaType: text().notNull(),
    byteSize: integer().notNull(),
    createdAt: time().notNull(),
    /** Null once the file has been sent with a message. */
    expiresAt: time(),
    /** False while the lab holds the file back. */
    isReady: boolean().notNull().default(true),
  },
  (table) => [
    index("files_of_chat").on(table.chatId),
    index("files_unsent").on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
  ],
);

/** A file's bytes. */
export const fileParts = pgTable(
  "file_parts",
  {
    fileId: text()
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    part: integer().notNull(),
    bytes: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.part] })],
);

/** A chat's collected details and its open form. No row means that nothing was collected. */
export const collections = pgTable("collections", {
  chatId: text()
    .primaryKey()
    .references(() => chats.id, { onDelete: "cascade" }),
  state: jsonText<CollectionState>().notNull(),
});

/**
 * Notices for the team that are not delivered yet, each written in the same transaction as the change that it
 * reports.
 */
export const outbox = pgTable(
  "outbox",
  {
    /** Lets the receiver drop a duplicate delivery. */
    id: text().primaryKey(),
    chatId: text()
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    payload: jsonText<unknown>().notNull(),
    createdAt: time().notNull(),
    attempts: integer().notNull().default(0),
    /** While a process delivers the notice, no other one does; null when none does. */
    leaseUntil: time(),
  },
  (table) => [index("outbox_pending").on(table.createdAt)],
);

/** Request counts of the current window, which all processes share. */
export const rateBuckets = pgTable("rate_buckets", {
  channelKey: text().primaryKey(),
  windowStart: time().notNull(),
  requests: integer().notNull(),
});

/** Replies scripted by the lab. A turn takes the oldest match and keeps it through all its attempts. */
export const labReplies = pgTable(
  "lab_replies",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    channelKey: text().notNull(),
    /** Null: for the next turn of any chat. */
    chatId: text().references(() => chats.id, { onDelete: "cascade" }),
    reply: jsonText<unknown>().notNull(),
    takenBy: text(),
  },
  (table) => [uniqueIndex("lab_replies_taken").on(table.takenBy)],
);

/** A handoff offer: what its acceptance has to know. */
export interface StoredOffer {
  confirmationId: string;
  requiresEmail: boolean;
  /** The form that must be complete before the offer can be accepted, if any. */
  details: FormRequest | null;
}

/** A message's attachments. Absent means none. */
export type Attachments = Partial<Pick<Message, MessagePart>>;

/** The open form. The collection holds its fields' definitions. */
export interface OpenForm {
  id: string;
  collectionId: string;
  purpose: string;
  fields: readonly { fieldId: string; required: boolean }[];
  canSkip: boolean;
  canCancel: boolean;
}

export interface CollectionState {
  /** Increases whenever the form or its answers change, but not when only `error` does. */
  version: number;
  /** Every field that a form of this chat has had; a later definition replaces an earlier one. */
  fields: readonly Field[];
  values: readonly CollectionValue[];
  request: OpenForm | null;
  /** Outlasts the form for the handoff, because the client then still has to repeat its handoff request. */
  pendingAction: "handoff" | null;
  error: string | null;
}

/**
 * `running` is the only state that changes. `succeeded` has a result; `refused` is a refusal that wrote
 * something, and replays repeat it; `superseded` and `interrupted` are turns that will never have a reply.
 */
export type OperationState = "running" | "succeeded" | "refused" | "superseded" | "interrupted";

/** The writing operations, and `followUp`: the turn that the channel itself starts after a form. */
export type OperationKind =
  | "createChat"
  | "sendMessage"
  | "uploadFile"
  | "submitCollection"
  | "handoff"
  | "followUp";
