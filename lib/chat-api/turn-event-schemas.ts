/** Schemas of the turn stream's events (docs/chat-api.md, "The turn stream"). Servers only: imports zod. */
import { z } from "zod";
import { MessageTurn } from "./message.ts";
import { orNull } from "./schema-parts.ts";

/** Also the body of an error response. Unknown codes are kept; the caller falls back to the status. */
const ErrorResponse = z.object({
  error: z.object({
    code: z.string().describe("What went wrong. Clients act on this."),
    message: z.string().default("").describe("Text that may change."),
    requestId: z.string().default("").describe("Equals the `X-Request-Id` header."),
    field: z.string().optional().describe("JSON pointer to the request field at fault."),
    retryAfterSeconds: z
      .number()
      .nonnegative()
      .meta({ type: "integer" })
      .optional()
      .describe("Seconds to wait before the same request is sent again."),
  }),
});

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
