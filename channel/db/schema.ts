/**
 * Every table of the channel. Rows belong to a channel key, so that one database can hold several channels, and most
 * belong to a chat and go with it (`on delete cascade`).
 *
 * Times named `…At` are moments on the channel's clock (the lab can move it). `lease_until` is the database's own
 * clock: whether a process is alive has nothing to do with the lab.
 */
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { ChatMode, HandoffStatus } from "#lib/chat-api/chat.ts";
import type { MessageRole } from "#lib/chat-api/message.ts";
import type { FormRequest } from "../agents/agent.ts";
import type { CollectionState } from "../collections/collection-state.ts";
import type { TeamHours } from "../handoffs/team-hours.ts";
import { bytes, jsonText, time } from "./columns.ts";
import type { Attachments, FaultKind, LimitOverrides, OperationKind, OperationState } from "./documents.ts";

export const channels = pgTable("channels", {
  key: text().primaryKey(),
  published: boolean().notNull().default(true),
  suspended: boolean().notNull().default(false),
  clockOffsetMs: bigint({ mode: "number" }).notNull().default(0),
  limits: jsonText<LimitOverrides>().notNull().default(sql`'{}'`),
  /** The team's hours as `PUT /team/hours` took them; null means the team is always there. */
  hours: jsonText<TeamHours>(),
  /** Signs cursors. Made once; a new one would make every cursor invalid. */
  cursorSecret: text().notNull(),
  /** Signed cursors until the lab expired them: such a cursor is old, not invalid. */
  expiredCursorSecret: text(),
  /** How many chats there are: the plan's limit is checked against it without counting rows. */
  chatCount: integer().notNull().default(0),
});

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
    /** Advances with every change that the Chat resource shows: it is the row's version (see `ChatVersion`). */
    updatedAt: time().notNull(),
    resolvedAt: time(),
    historyComplete: boolean().notNull().default(true),
    handoffStatus: text().$type<HandoffStatus>(),
    handoffRequestedAt: time(),
    handoffRequiresEmail: boolean(),
    handoffNextAvailableAt: time(),
    handoffTimezone: text(),
    /** The operation whose turn runs in this chat: there is never more than one. */
    activeOperationId: text(),
    /** Sequence of the latest message. */
    lastSequence: integer().notNull().default(0),
    /** Sends, submissions and handoffs so far, without replays. */
    operationCount: integer().notNull().default(0),
    /** The only offer that a handoff may accept; null once it was accepted or has gone stale. */
    latestOfferId: text(),
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
    /** The order of the chat's messages: times can be equal. */
    sequence: integer().notNull(),
    role: text().$type<MessageRole>().notNull(),
    text: text().notNull(),
    /** Null for messages that were brought in from elsewhere without their times. */
    createdAt: time(),
    authorName: text(),
    attachments: jsonText<Attachments>().notNull().default(sql`'{}'`),
    /** The turn that wrote the message: a turn has one reply at most, whatever happens. */
    replyOfOperationId: text().unique("messages_one_reply_per_turn"),
  },
  (table) => [
    uniqueIndex("messages_in_order").on(table.chatId, table.sequence),
    index("messages_by_age").on(table.createdAt),
  ],
);

/** The ledger: one row for each idempotency key that did something (specification, "General rules", 5). */
export const operations = pgTable(
  "operations",
  {
    id: text().primaryKey(),
    channelKey: text().notNull(),
    /** The caller's idempotency key; turns that the channel starts by itself have keys that no caller can send. */
    key: text().notNull(),
    kind: text().$type<OperationKind>().notNull(),
    chatId: text()
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    fingerprint: text().notNull(),
    state: text().$type<OperationState>().notNull(),
    /** Names the attempt that may write: whoever holds an older fence writes nothing. */
    fence: integer().notNull().default(1),
    attempts: integer().notNull().default(1),
    /** The process that runs the attempt, and until when it may be silent; null when nothing runs. */
    owner: integer(),
    leaseUntil: time(),
    /** The customer's message; null for turns that answer a form. */
    messageId: text(),
    /** Reserved when the turn starts, so that `start` can name it. */
    replyId: text(),
    /** What started a turn that answers no message. */
    trigger: jsonText<{ collectionId: string; action: "save" | "skip" | "cancel" }>(),
    /** The item that was answered, to be answered again; null for a created chat, which is answered as it is now. */
    result: jsonText<unknown>(),
    errorCode: text(),
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

/** What a running turn has streamed, for processes that it does not run in. */
export const turnDeltas = pgTable(
  "turn_deltas",
  {
    operationId: text()
      .notNull()
      .references(() => operations.id, { onDelete: "cascade" }),
    fence: integer().notNull(),
    sequence: integer().notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.operationId, table.fence, table.sequence] })],
);

/** Keys of created chats that are not in the ledger any more. Only a hash: the key itself is of no use now. */
export const keyTombstones = pgTable(
  "key_tombstones",
  {
    channelKey: text().notNull(),
    keyHash: text().notNull(),
    reason: text().$type<"gone" | "expired">().notNull(),
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
    /** The upload that made it: the same key heals a file that was swept. */
    operationId: text().notNull(),
    /** Where the file store keeps the bytes; null after the sweep took them from an unsent file. */
    storageKey: text(),
    filename: text().notNull(),
    mediaType: text().notNull(),
    byteSize: integer().notNull(),
    createdAt: time().notNull(),
    /** Null once the file was sent with a message. */
    expiresAt: time(),
    /** The lab can hold a file back: it is there, but not usable yet. */
    isReady: boolean().notNull().default(true),
  },
  (table) => [
    index("files_of_chat").on(table.chatId),
    index("files_unsent").on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
  ],
);

/**
 * The bytes of files in parts, where the database is the file store. A part comes in before its file's row is
 * written, so that no row can be referred to: a sweep takes parts that no file claims.
 */
export const fileParts = pgTable(
  "file_parts",
  {
    storageKey: text().notNull(),
    part: integer().notNull(),
    bytes: bytes().notNull(),
    /** On the database's own clock: a lab that moves the channel's must not age an upload that is coming in. */
    storedAt: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.storageKey, table.part] })],
);

/** What was collected in a chat, and the form that is open. A chat without a row has collected nothing. */
export const collections = pgTable("collections", {
  chatId: text()
    .primaryKey()
    .references(() => chats.id, { onDelete: "cascade" }),
  state: jsonText<CollectionState>().notNull(),
});

/** Every offer to pass a chat to the team; the latest can be accepted (`chats.latest_offer_id`). */
export const handoffOffers = pgTable(
  "handoff_offers",
  {
    confirmationId: text().primaryKey(),
    chatId: text()
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    messageId: text().notNull(),
    requiresEmail: boolean().notNull(),
    nextAvailableAt: time(),
    timezone: text(),
    /** The form that must be complete before the offer can be accepted, if any. */
    details: jsonText<FormRequest>(),
    createdAt: time().notNull(),
  },
  (table) => [index("handoff_offers_of_chat").on(table.chatId)],
);

/** Every request to pass a chat to the team; what the Chat resource shows of the latest is on the chat's row. */
export const handoffs = pgTable(
  "handoffs",
  {
    id: text().primaryKey(),
    chatId: text()
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    /** The operation that accepted the offer, and the offer; null where the team came by itself. */
    operationId: text(),
    confirmationId: text(),
    email: text(),
    locale: text().notNull(),
    status: text().$type<HandoffStatus>().notNull(),
    requestedAt: time().notNull(),
    teammateName: text(),
    /** The automatic teammate has the chat: it leaves it to the first person who acts. */
    isAutomatic: boolean().notNull().default(false),
  },
  (table) => [index("handoffs_of_chat").on(table.chatId)],
);

/** Things to tell the outside, written in the transaction that made them true; delivered at least once. */
export const outbox = pgTable(
  "outbox",
  {
    /** The receiver drops a second delivery by it. */
    id: text().primaryKey(),
    chatId: text()
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    payload: jsonText<unknown>().notNull(),
    createdAt: time().notNull(),
    deliveredAt: time(),
    attempts: integer().notNull().default(0),
  },
  (table) => [index("outbox_pending").on(table.createdAt).where(sql`${table.deliveredAt} is null`)],
);

/** Requests in the current window, where several processes share the limit. */
export const rateBuckets = pgTable("rate_buckets", {
  channelKey: text().primaryKey(),
  windowStart: time().notNull(),
  requests: integer().notNull(),
});

/** Faults that the lab was told to cause. */
export const labFaults = pgTable("lab_faults", {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  channelKey: text().notNull(),
  operation: text().notNull(),
  fault: text().$type<FaultKind>().notNull(),
  /** Before the operation is carried out, or after: then it has happened, and only its answer suffers. */
  at: text().$type<"request" | "response">().notNull().default("request"),
  /** Null: any chat. */
  chatId: text(),
  code: text(),
  afterDeltas: integer(),
  milliseconds: integer(),
  /** How often it is still to happen. */
  remaining: integer().notNull(),
});

/** Replies that the lab scripted. A turn takes the oldest that fits and keeps it through all its attempts. */
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
