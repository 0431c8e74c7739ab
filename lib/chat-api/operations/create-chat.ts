/** Starts a chat. */
import { z } from "zod";
import { Chat } from "../chat.ts";
import { limits } from "../limits.ts";
import { newUserIdPattern } from "../patterns.ts";
import { LocaleInput, matching } from "../schema-parts.ts";
import { exampleChat } from "./example-chat.ts";
import { jsonBodyErrors, type OperationContract } from "./operation-contract.ts";

/** Body of createChat (docs/chat-api.md, "Operations"). Unknown properties are rejected. */
export const CreateChatBody = z.strictObject({
  userId: matching(newUserIdPattern, "8 to 128 letters, digits or . _ : -")
    .optional()
    .describe("The shop's own ID of the customer; a random one if absent."),
  locale: LocaleInput.optional().describe("The customer's language, a BCP 47 tag; `en` if absent."),
});
export type CreateChatBody = z.infer<typeof CreateChatBody>;

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
