/**
 * The schemas of the nine operations' request bodies, queries and responses (docs/chat-api.md, "Operations").
 * Servers only: imports zod.
 */
import { z } from "zod";
import { Chat, CreateChatBody } from "./chat.ts";
import { Collection, SubmitCollectionBody } from "./collection.ts";
import { File } from "./file.ts";
import { HandoffBody } from "./handoff.ts";
import { ListMessagesQuery, MessagePage, MessageTurn, SendMessageBody } from "./message.ts";
import type { OperationName } from "./operations.ts";

export interface OperationSchemas {
  body?: z.ZodType;
  query?: z.ZodType;
  /** Absent if the response is raw bytes. */
  response?: z.ZodType;
}

export const operationSchemas = {
  createChat: { body: CreateChatBody, response: z.object({ item: Chat }) },
  getChat: { response: z.object({ item: Chat }) },
  sendMessage: { body: SendMessageBody, response: z.object({ item: MessageTurn }) },
  listMessages: { query: ListMessagesQuery, response: MessagePage },
  uploadFile: { response: z.object({ item: File }) },
  downloadFile: {},
  getCollection: { response: z.object({ item: Collection }) },
  submitCollection: { body: SubmitCollectionBody, response: z.object({ item: Collection }) },
  handoff: { body: HandoffBody, response: z.object({ item: Chat }) },
} as const satisfies Record<OperationName, OperationSchemas>;

/** An error body from the server. Unknown codes are kept; the caller falls back to the status. */
export const ErrorResponse = z.object({
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
