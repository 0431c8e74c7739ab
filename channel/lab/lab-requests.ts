/** Bodies of the lab's API. Everything is bounded: the lab is a tool, and its caller may be mistaken. */
import { z } from "zod";
import { chatModes, handoffStatuses } from "#lib/chat-api/chat.ts";
import { Field, valueActors, valueStatuses } from "#lib/chat-api/collection.ts";
import { chatApiErrorCodes } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { Citation, messageRoles } from "#lib/chat-api/message.ts";
import { operationNames } from "#lib/chat-api/operations.ts";
import { Order } from "#lib/chat-api/order.ts";
import { chatIdPattern, chatKeyPattern, fieldIdPattern } from "#lib/chat-api/patterns.ts";
import { Product } from "#lib/chat-api/product.ts";
import { LocaleInput, matching, utf16Max } from "#lib/chat-api/schema-parts.ts";
import { faultKinds } from "../db/documents.ts";
import { FormBody } from "../team/team-requests.ts";

const decadeInSeconds = 10 * 366 * 24 * 60 * 60;
const longestPause = 10 * 60 * 1000;
/** A message that a lab brings in may be longer than a customer's: an agent's are not bounded. */
const importedTextLength = 20_000;

const ChatId = matching(chatIdPattern, "a chat ID");
const Milliseconds = z.int().min(0).max(longestPause);
const Moment = z.iso.datetime().transform((text) => new Date(text));
/** Null: back to the default. */
const Limit = z.int().min(0).max(1_000_000).nullable().optional();

export const ClockBody = z.strictObject({ advanceSeconds: z.number().min(0).max(decadeInSeconds) });

export const ChannelBody = z.strictObject({
  published: z.boolean().optional(),
  suspended: z.boolean().optional(),
});

export const LimitsBody = z.strictObject({
  chatsPerChannel: Limit,
  operationsPerChat: Limit,
  requestsPerMinute: Limit,
  concurrentTurns: Limit,
});

/** A rule with a count, never a probability: the next `times` operations that fit meet the fault. */
export const FaultBody = z
  .strictObject({
    operation: z.literal(operationNames),
    fault: z.enum(faultKinds),
    /** Of `error`. */
    code: z.literal(chatApiErrorCodes).optional(),
    /** Of a streamed reply: so many deltas go out first. More than there are: just before the terminal event. */
    afterDeltas: z.int().min(0).max(1_000_000).optional(),
    /** Of `delay` and `stall`. A stall without it lasts until the client leaves. Of `error`: what it asks to wait. */
    milliseconds: Milliseconds.optional(),
    times: z.int().min(1).max(10_000).default(1),
    /** Whether the operation is not carried out at all, or carried out and only its answer suffers. */
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
  citations: z.array(Citation).max(100).default([]),
  products: z.array(Product).max(100).default([]),
  orders: z.array(Order).max(100).default([]),
  choices: z.array(utf16Max(limits.messageTextLength)).max(100).default([]),
};

/** After so many deltas the agent waits until it is told to go on. More than there are: with nothing but the end to come. */
const HoldsAfter = z.int().min(0).max(5_000).optional();

export const ScriptedReply = z.strictObject({
  /** The reply. Where it is not what the deltas say together, it is a question that takes their place. */
  text: utf16Max(importedTextLength).default(""),
  /** What is streamed; the words of the text unless given. */
  deltas: z.array(utf16Max(importedTextLength)).max(5_000).optional(),
  /** Between two deltas. */
  delayMs: Milliseconds.default(0),
  holdsAfter: HoldsAfter,
  ...Attachments,
  collection: FormBody.optional(),
  handoffOffer: z.union([z.literal(true), z.strictObject({ details: FormBody.optional() })]).optional(),
  /** The agent breaks off after its deltas, in every attempt: the turn ends as interrupted. */
  fails: z.boolean().default(false),
});
export type ScriptedReply = z.output<typeof ScriptedReply>;

export const ReplyBody = z.strictObject({ chatId: ChatId.optional(), reply: ScriptedReply });

/** Without `holdsAfter` to the end. */
export const ContinueBody = z.strictObject({ chatId: ChatId, holdsAfter: HoldsAfter });

export const FileBody = z.strictObject({ ready: z.boolean() });

export const ChatKeyBody = z.strictObject({
  chatKey: z.string().regex(chatKeyPattern, { error: 'must be "ck_" and letters or digits' }).optional(),
});

const ImportedMessage = z.strictObject({
  role: z.enum(messageRoles),
  text: utf16Max(importedTextLength).default(""),
  /** Null: unknown. */
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

/** A chat from elsewhere, as a seed for demonstrations and tests. */
export const ImportBody = z
  .strictObject({
    /** Names the chat: one that is there already is given back as it is, so that a seed can be repeated. */
    id: ChatId.optional(),
    /** As a chat may be read with, which is more than may be sent. */
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
    /** Its form, if one is open, is what the last message asks for. */
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

/** 5,000 messages of the usual length. */
export const importBodyBytes = 8 * 1024 * 1024;
