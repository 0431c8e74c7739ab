/** Request bodies of the lab's API. Numbers and lists are bounded, because callers make mistakes. */
import { z } from "zod";
import { chatModes, handoffStatuses } from "#lib/chat-api/chat.ts";
import { Field, valueActors, valueStatuses } from "#lib/chat-api/collection.ts";
import { chatApiErrorCodes } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { messageRoles, replyParts } from "#lib/chat-api/message.ts";
import { operationNames } from "#lib/chat-api/operations.ts";
import { chatIdPattern, chatKeyPattern, fieldIdPattern } from "#lib/chat-api/patterns.ts";
import { LocaleInput, matching, utf16Max } from "#lib/chat-api/schema-parts.ts";
import { FormBody } from "../team/team-requests.ts";

const decadeInSeconds = 10 * 366 * 24 * 60 * 60;
const longestPause = 10 * 60 * 1000;
/** Imported messages may be longer than a customer's: an agent's are unbounded. */
const importedTextLength = 20_000;

const ChatId = matching(chatIdPattern, "a chat ID");
const Milliseconds = z.int().min(0).max(longestPause);
const Moment = z.iso.datetime().transform((text) => new Date(text));
/** Null resets the limit to its default. */
const limitFrom = (min: number) => z.int().min(min).max(100_000_000).nullable().optional();
const Limit = limitFrom(0);

export const ClockBody = z.strictObject({ advanceSeconds: z.number().min(0).max(decadeInSeconds) });

export const LimitsBody = z.strictObject({
  chatsPerChannel: Limit,
  operationsPerChat: Limit,
  requestsPerMinute: Limit,
  concurrentTurns: Limit,
  messagesPerPage: Limit,
  pageVariation: Limit,
  fileBytesPerChat: Limit,
  /** A shorter interval would flood a silent stream with comments. */
  keepAliveInterval: limitFrom(100),
});

/** A rule with a count, never a probability: the next `times` matching operations meet the fault. */
export const FaultBody = z
  .strictObject({
    operation: z.literal(operationNames),
    fault: z.enum(["error", "drop", "stall", "delay"]),
    /** The code of an `error`. */
    code: z.literal(chatApiErrorCodes).optional(),
    /**
     * The number of deltas of a streamed reply that pass before the fault. If there are fewer, it happens
     * before the last event.
     */
    afterDeltas: z.int().min(0).max(1_000_000).optional(),
    /**
     * The duration of a `delay` or `stall`; a stall without it lasts until the client disconnects. For an
     * `error`, its `Retry-After`.
     */
    milliseconds: Milliseconds.optional(),
    times: z.int().min(1).max(10_000).default(1),
    /**
     * `request`: the fault precedes the operation or replaces it. `response`: it follows the operation and
     * affects only the response.
     */
    at: z.enum(["request", "response"]).optional(),
    chatId: ChatId.optional(),
  })
  .refine((fault) => (fault.fault === "error") === (fault.code !== undefined), {
    path: ["code"],
    error: "must be given for an error, and only for one",
  })
  .refine((fault) => fault.fault !== "delay" || fault.milliseconds !== undefined, {
    path: ["milliseconds"],
    error: "must be given for a delay",
  })
  .refine((fault) => fault.afterDeltas === undefined || fault.operation === "sendMessage", {
    path: ["afterDeltas"],
    error: "is for sendMessage only",
  });
export type FaultBody = z.output<typeof FaultBody>;

const Attachments = {
  ...replyParts,
  choices: z.array(utf16Max(limits.messageTextLength)).max(100).default([]),
};

/** The agent pauses after this many deltas, or after its last if there are fewer, until told to continue. */
const HoldsAfter = z.int().min(0).max(5_000).optional();

export const ScriptedReply = z.strictObject({
  /** The stored reply. If it differs from the joined deltas, it is a question that replaces them. */
  text: utf16Max(importedTextLength).default(""),
  /** The streamed parts; by default the words of the text. */
  deltas: z.array(utf16Max(importedTextLength)).max(5_000).optional(),
  /** The pause between two deltas. */
  delayMs: Milliseconds.default(0),
  holdsAfter: HoldsAfter,
  ...Attachments,
  collection: FormBody.optional(),
  handoffOffer: z.union([z.literal(true), z.strictObject({ details: FormBody.optional() })]).optional(),
  /** Makes the agent fail after its deltas in every attempt, so that the turn is interrupted. */
  fails: z.boolean().default(false),
});
export type ScriptedReply = z.output<typeof ScriptedReply>;

export const ReplyBody = z.strictObject({ chatId: ChatId.optional(), reply: ScriptedReply });

/** Continues to the end without `holdsAfter`. */
export const ContinueBody = z.strictObject({ chatId: ChatId, holdsAfter: HoldsAfter });

export const ChatKeyBody = z.strictObject({
  chatKey: z.string().regex(chatKeyPattern, { error: 'must be "ck_" and letters or digits' }).optional(),
});

export const ImportedMessage = z.strictObject({
  role: z.enum(messageRoles),
  text: utf16Max(importedTextLength).default(""),
  /** Null if the time is unknown. */
  createdAt: Moment.nullable(),
  author: utf16Max(80).optional(),
  ...Attachments,
});

const FieldId = matching(fieldIdPattern, "a field ID");

const ImportedCollection = z.strictObject({
  fields: z.array(Field).max(100),
  values: z
    .array(
      z.strictObject({
        fieldId: FieldId,
        value: utf16Max(limits.answerLength).nullable(),
        status: z.enum(valueStatuses),
        actor: z.enum(valueActors).default("visitor"),
      }),
    )
    .max(100)
    .default([]),
  form: FormBody.optional(),
  error: utf16Max(500).nullable().default(null),
});

/** A chat to import, as a seed for demonstrations and tests. */
export const ImportBody = z
  .strictObject({
    /** Names the chat. An existing chat with this ID is returned unchanged, so that seeds can be repeated. */
    id: ChatId.optional(),
    /** Accepts more user IDs than createChat, because clients must be able to read them. */
    userId: z
      .string()
      .regex(/^[A-Za-z0-9._:@-]{1,128}$/, { error: "must be 1 to 128 letters, digits or . _ : @ -" }),
    locale: LocaleInput.default("en"),
    mode: z.enum(chatModes).default("agent"),
    createdAt: Moment.optional(),
    historyComplete: z.boolean().default(true),
    teammate: utf16Max(80).optional(),
    handoff: z
      .strictObject({
        status: z.enum(handoffStatuses),
        requestedAt: Moment.optional(),
        requiresEmail: z.boolean().default(false),
        email: utf16Max(limits.emailLength).optional(),
      })
      .optional(),
    messages: z.array(ImportedMessage).max(5_000).default([]),
    /** If it has an open form, the last message asks for it. */
    collection: ImportedCollection.optional(),
  })
  .refine((chat) => (chat.mode === "teammate") === (chat.teammate !== undefined), {
    path: ["teammate"],
    error: "must be given for the mode `teammate`, and only for it",
  })
  .refine((chat) => chat.mode !== "waiting" || chat.handoff?.status === "waiting", {
    path: ["handoff"],
    error: "must have the status `waiting` for the mode `waiting`",
  })
  .refine((chat) => chat.mode !== "teammate" || chat.handoff?.status === "claimed", {
    path: ["handoff"],
    error: "must have the status `claimed` for the mode `teammate`",
  });
export type ImportBody = z.output<typeof ImportBody>;

/** Several chats: a seed, and what an export writes. */
export const SeedBody = z.strictObject({ chats: z.array(ImportBody).max(1_000) });
export type SeedBody = z.output<typeof SeedBody>;

/** Room for 5,000 messages of the usual length. */
export const importBodyBytes = 64 * 1024 * 1024;

export const WaitQuery = z
  .strictObject({
    chatId: ChatId,
    until: z.enum(["turn_done", "message", "waiting", "claimed", "resolved", "notice"]),
    /** The ID of a message before `message` or `turn_done`; another word for the beginning. */
    after: z.string().optional(),
    /** Seconds. */
    timeout: z.coerce.number().min(0).max(60).default(10),
  })
  .refine(({ until, after }) => after === undefined || until === "message" || until === "turn_done", {
    path: ["after"],
    error: "is for `message` and `turn_done` only",
  });
export type WaitQuery = z.output<typeof WaitQuery>;

export const RequestsQuery = z.strictObject({
  requestId: z.string().optional(),
  chatId: ChatId.optional(),
  operation: z.literal(operationNames).optional(),
  status: z.coerce.number().int().optional(),
  code: z.literal(chatApiErrorCodes).optional(),
  since: Moment.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  /** `false`: without headers, bodies and the curl command. */
  exchanges: z.stringbool().default(true),
});

export const NoticesQuery = z.strictObject({ chatId: ChatId.optional() });
