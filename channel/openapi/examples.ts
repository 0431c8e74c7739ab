/** Examples for the OpenAPI description: one chat of the demo shop, from its beginning to a handoff. */
import { bodyOfError, ChatApiError, type ChatApiErrorCode, responseOf } from "#lib/chat-api/errors.ts";
import { MessageTurn } from "#lib/chat-api/message.ts";
import type { OperationName } from "#lib/chat-api/operations.ts";
import { encodeTurnEvent } from "#lib/chat-api/turn-events.ts";

const chatId = "chat_Zr0vV2l8dQ5nT1xk3Yw7Ag";
const requestId = "req_x7rhNknLr8d8m-Yr5S4hSw";

const chat = {
  id: chatId,
  channelKey: "dep_demo_shop",
  userId: "cust.ana-brandt",
  mode: "agent" as const,
  teammate: null,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:04.120Z",
  resolvedAt: null,
  historyComplete: true,
  handoff: null,
};

// The contract adds the fields that a message lacks.
const turn = MessageTurn.parse({
  message: {
    chatId,
    id: "msg_4nT9cXk1RrWq8sYvB0uJ2w",
    role: "visitor",
    text: "Do you deliver to Ireland?",
    createdAt: "2026-11-20T09:30:03.000Z",
  },
  reply: {
    chatId,
    id: "msg_8hL2mPz6VbNd5eGtC7aK9g",
    role: "agent",
    text: "Yes, we deliver to every county of Ireland.",
    createdAt: "2026-11-20T09:30:04.120Z",
    citations: [
      {
        title: "Delivery: Ireland",
        url: "https://shop.example/help/delivery#ireland",
        updatedAt: "2026-10-05T09:00:00.000Z",
      },
    ],
  },
  chat,
});

const file = {
  id: "file_5vQ3wEr7TyUi9oPaSdFgHj",
  chatId,
  filename: "front-wheel.jpg",
  mediaType: "image/jpeg",
  byteSize: 184_211,
  createdAt: "2026-11-20T09:31:00.000Z",
  expiresAt: "2026-11-21T09:31:00.000Z",
};

const collection = {
  version: 2,
  fields: [
    {
      id: "email",
      label: "Your email address",
      description: "For the team's answer.",
      type: "email",
      choices: [],
    },
  ],
  values: [],
  request: {
    id: "form_9kLmNbVcXzAsDfGhJkQwEr",
    collectionId: "contact_details",
    purpose: "So that the team can write to you.",
    fields: [{ fieldId: "email", required: true }],
    complete: false,
    canSkip: false,
    canCancel: true,
  },
  missing: ["email"],
  pendingAction: "handoff",
  error: null,
};

const handedOff = {
  ...chat,
  mode: "waiting",
  updatedAt: "2026-11-20T09:33:00.000Z",
  handoff: {
    status: "waiting",
    requestedAt: "2026-11-20T09:33:00.000Z",
    requiresEmail: true,
    nextAvailableAt: "2026-11-23T09:00:00.000Z",
    timezone: "Europe/London",
  },
};

export const requestExamples: Partial<Record<OperationName, unknown>> = {
  createChat: { userId: "cust.ana-brandt", locale: "en" },
  sendMessage: { text: "Do you deliver to Ireland?" },
  submitCollection: {
    collectionRequestId: collection.request.id,
    expectedVersion: 2,
    action: "save",
    values: { email: "ana@example.com" },
  },
  handoff: { confirmationId: "offer_1qAz2wSx3eDc4rFv5tGb6y", email: "ana@example.com", locale: "en" },
};

export const responseExamples: Partial<Record<OperationName, unknown>> = {
  createChat: { item: { ...chat, updatedAt: chat.createdAt } },
  getChat: { item: chat },
  sendMessage: { item: turn },
  listMessages: { items: [turn.message, turn.reply], nextCursor: null },
  uploadFile: { item: file },
  getCollection: { item: collection },
  submitCollection: {
    item: {
      ...collection,
      version: 3,
      values: [
        {
          fieldId: "email",
          value: "ana@example.com",
          status: "accepted",
          actor: "visitor",
          updatedAt: "2026-11-20T09:32:00.000Z",
        },
      ],
      request: null,
      missing: [],
    },
  },
  handoff: { item: handedOff },
};

export const streamExample = [
  encodeTurnEvent({
    type: "start",
    chatId,
    requestId,
    messageId: turn.message.id,
    replyId: turn.reply?.id ?? null,
  }),
  encodeTurnEvent({ type: "delta", text: "Yes, we deliver " }),
  encodeTurnEvent({ type: "delta", text: "to every county of Ireland." }),
  encodeTurnEvent({ type: "done", item: turn }),
].join("");

/** The body of an error response with this code. */
export function errorExample(code: ChatApiErrorCode): unknown {
  const { status } = responseOf(code);
  const waits = status === 429 || status === 503;
  const error = new ChatApiError(code, {
    ...(code === "invalid_request" ? { field: "/text" } : {}),
    ...(waits ? { retryAfterSeconds: 2 } : {}),
  });
  return bodyOfError(error, requestId);
}
