/** Starts a chat. */
import { z } from "zod";
import { Chat, CreateChatBody } from "../chat.ts";
import { limits } from "../limits.ts";
import { exampleChat } from "./example-chat.ts";
import { jsonBodyErrors, type OperationContract } from "./operation-contract.ts";

export const createChat = {
  summary: "Create a chat",
  description: "Starts a chat for a customer. A repeated request returns the chat as it is now.",
  body: CreateChatBody,
  maxBodyBytes: limits.jsonBodyBytes,
  response: z.object({ item: Chat }),
  errors: [
    ...jsonBodyErrors,
    "idempotency_conflict",
    "idempotency_key_expired",
    "idempotency_resource_gone",
    "chat_limit_reached",
    "capacity_limited",
  ],
  example: {
    body: { userId: "cust.ana-brandt", locale: "en" },
    response: { item: { ...exampleChat, updatedAt: exampleChat.createdAt } },
  },
} as const satisfies OperationContract;
