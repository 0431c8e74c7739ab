/**
 * The specification's resources: exact names, types, patterns and nullability (docs/chat-api.md,
 * "Resources"). These schemas are strict, unlike the tolerant contract in `lib/chat-api`.
 */
import { z } from "zod";
import { Breach } from "./rules.ts";
import { codes } from "./specification.ts";

export const chatId = z.string().regex(/^[A-Za-z0-9_-]{8,128}$/);
export const fileId = z.string().regex(/^[A-Za-z0-9_-]{8,128}$/);
const fieldId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);
/** "ISO 8601 UTC strings with milliseconds": ISO 8601 allows `Z` and `+00:00`. */
const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(Z|\+00:00)$/)
  .refine((value) => !Number.isNaN(Date.parse(value)), { error: "not a time" });

export const Handoff = z.strictObject({
  status: z.enum(["waiting", "claimed", "resolved", "failed"]),
  requestedAt: time,
  requiresEmail: z.boolean(),
  nextAvailableAt: time.nullable(),
  timezone: z.string().nullable(),
});

export const Chat = z.strictObject({
  id: chatId,
  channelKey: z.string().regex(/^dep_[a-z0-9_-]{6,80}$/),
  userId: z.string().regex(/^[A-Za-z0-9._:@-]{1,128}$/),
  mode: z.enum(["agent", "waiting", "teammate", "resolved"]),
  teammate: z.strictObject({ name: z.string() }).nullable(),
  createdAt: time,
  updatedAt: time,
  resolvedAt: time.nullable(),
  historyComplete: z.boolean(),
  handoff: Handoff.nullable(),
});
export type Chat = z.infer<typeof Chat>;

export const File = z.strictObject({
  id: fileId,
  chatId,
  filename: z.string(),
  mediaType: z.string().min(1),
  byteSize: z.int().nonnegative(),
  createdAt: time,
  expiresAt: time.nullable(),
});
export type File = z.infer<typeof File>;

export const Field = z
  .strictObject({
    id: fieldId,
    label: z.string(),
    description: z.string(),
    type: z.enum(["text", "email", "choice"]),
    choices: z.array(z.strictObject({ id: fieldId, label: z.string() })),
  })
  .refine((field) => field.type === "choice" || field.choices.length === 0, {
    error: "choices are empty for other types",
  });

export const Collection = z.strictObject({
  version: z.int(),
  fields: z.array(Field),
  values: z.array(
    z.strictObject({
      fieldId,
      value: z.string().nullable(),
      status: z.enum(["accepted", "declined", "unknown", "disputed"]),
      actor: z.enum(["visitor", "teammate"]),
      updatedAt: time,
    }),
  ),
  request: z
    .strictObject({
      id: z.string().min(1),
      collectionId: fieldId,
      purpose: z.string(),
      fields: z.array(z.strictObject({ fieldId, required: z.boolean() })),
      complete: z.boolean(),
      canSkip: z.boolean(),
      canCancel: z.boolean(),
    })
    .nullable(),
  missing: z.array(fieldId),
  pendingAction: z.string().nullable(),
  error: z.string().nullable(),
});
export type Collection = z.infer<typeof Collection>;

const Citation = z.strictObject({
  title: z.string(),
  url: z.string().nullable(),
  updatedAt: time.nullable(),
});

const Product = z.strictObject({
  id: z.string(),
  title: z.string(),
  brand: z.string().nullable(),
  imageUrl: z.string().nullable(),
  productUrl: z.string().nullable(),
  inStock: z.boolean().nullable(),
  clickAndCollectOnly: z.boolean(),
  price: z
    .strictObject({
      amount: z.number(),
      currency: z.string().regex(/^[A-Z]{3}$/),
      was: z.number().nullable(),
      from: z.boolean(),
    })
    .nullable(),
});

const Order = z.strictObject({
  reference: z.string(),
  kind: z.enum(["online", "workshop", "order"]),
  status: z.string(),
  complete: z.boolean(),
  placedLabel: z.string().nullable(),
  dueLabel: z.string().nullable(),
  servicedItem: z.string().nullable(),
  items: z.array(
    z.strictObject({ description: z.string(), quantity: z.number(), arrived: z.boolean().nullable() }),
  ),
  store: z.strictObject({ name: z.string(), phone: z.string().nullable() }).nullable(),
});

export const HandoffOffer = z.strictObject({
  confirmationId: z.string().min(1),
  requiresEmail: z.boolean(),
  nextAvailableAt: time.nullable(),
  timezone: z.string().nullable(),
});

export const Message = z.strictObject({
  id: z.string().min(1),
  chatId,
  role: z.enum(["visitor", "agent", "teammate", "system"]),
  text: z.string(),
  createdAt: time.nullable(),
  author: z.strictObject({ name: z.string() }).nullable(),
  files: z.array(File),
  citations: z.array(Citation).max(20),
  products: z.array(Product).max(3),
  orders: z.array(Order).max(10),
  choices: z.array(z.string()),
  collection: Collection.nullable(),
  handoffOffer: HandoffOffer.nullable(),
});
export type Message = z.infer<typeof Message>;

export const MessageTurn = z.strictObject({ message: Message, reply: Message.nullable(), chat: Chat });
export type MessageTurn = z.infer<typeof MessageTurn>;

export const MessagePage = z.strictObject({
  items: z.array(Message),
  nextCursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,2048}$/)
    .nullable(),
});
export type MessagePage = z.infer<typeof MessagePage>;

/** "JSON pointer to the request field at fault" (RFC 6901). */
const jsonPointer = z.string().regex(/^(\/([^~/]|~[01])*)*$/);

export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(codes),
    message: z.string(),
    requestId: z.string().min(1),
    field: jsonPointer.optional(),
    retryAfterSeconds: z.int().nonnegative().optional(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export const responses = {
  createChat: z.strictObject({ item: Chat }),
  getChat: z.strictObject({ item: Chat }),
  sendMessage: z.strictObject({ item: MessageTurn }),
  listMessages: MessagePage,
  uploadFile: z.strictObject({ item: File }),
  getCollection: z.strictObject({ item: Collection }),
  submitCollection: z.strictObject({ item: Collection }),
  handoff: z.strictObject({ item: Chat }),
} as const;

/** The data of each event (docs/chat-api.md, "The turn stream"). */
export const turnEvents = {
  start: z.strictObject({
    chatId,
    requestId: z.string().min(1),
    messageId: z.string().min(1),
    replyId: z.string().min(1).nullable(),
  }),
  delta: z.strictObject({ text: z.string() }),
  done: z.strictObject({ item: MessageTurn }),
  error: ErrorBody,
} as const;

/**
 * Returns the value when it has the shape. `exact` rejects unspecified fields; a live channel may be newer
 * than the specification and send more.
 */
export function read<S extends z.ZodType>(shape: S, value: unknown, exact: boolean): z.infer<S> {
  const result = shape.safeParse(value);
  const faults = result.success
    ? []
    : result.error.issues.filter((issue) => exact || issue.code !== "unrecognized_keys");
  if (faults.length > 0) {
    throw new Breach(
      "resources.shape",
      `Not as specified:\n${z.prettifyError(new z.ZodError(faults))}\nin ${JSON.stringify(value, null, 1).slice(0, 2_000)}`,
    );
  }
  return value as z.infer<S>;
}
