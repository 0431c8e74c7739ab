/** Schemas of the turn stream's events (docs/chat-api.md, "The turn stream"). Servers only: imports zod. */
import { z } from "zod";
import { MessageTurn } from "./message.ts";
import { ErrorResponse } from "./operation-schemas.ts";
import { orNull } from "./schema-parts.ts";

export const turnEventSchemas = {
  start: z.object({
    chatId: z.string().describe("Chat ID."),
    requestId: z.string().describe("The request's `X-Request-Id`."),
    messageId: z.string().describe("ID of the customer's message, which is stored."),
    replyId: orNull(z.string()).describe(
      "ID of the reply. Null while the chat is with the team: none comes.",
    ),
  }),
  delta: z.object({ text: z.string().describe("The next part of the reply.") }),
  done: z.object({ item: MessageTurn }),
  error: ErrorResponse,
} as const;
