/** Sends a message and gets the agent's reply. */
import { z } from "zod";
import { limits } from "../limits.ts";
import { MessageTurn } from "../message.ts";
import { fileIdPattern } from "../patterns.ts";
import { utf16Max } from "../schema-parts.ts";
import { hasVisibleText } from "../text.ts";
import { exampleTurn } from "./example-chat.ts";
import { jsonBodyErrors, type OperationContract } from "./operation-contract.ts";

/** Body of sendMessage (docs/chat-api.md, "Operations"). Unknown properties are rejected. */
export const SendMessageBody = z
  .strictObject({
    text: utf16Max(limits.messageTextLength)
      .optional()
      .describe("The message. Without files it must have a character that is not white space."),
    fileIds: z
      .array(z.string().regex(fileIdPattern, { error: "must be a file ID" }))
      .min(1)
      .max(limits.filesPerMessage)
      .refine((ids) => new Set(ids).size === ids.length, { error: "must not repeat a file" })
      .meta({ uniqueItems: true })
      .optional()
      .describe("IDs of files that were uploaded to this chat. Without a text, they are required."),
  })
  .refine((body) => body.fileIds !== undefined || (body.text !== undefined && hasVisibleText(body.text)), {
    path: ["text"],
    error: "must contain a character that is not white space, or files must be sent",
  });
export type SendMessageBody = z.infer<typeof SendMessageBody>;

export const sendMessage = {
  summary: "Send a message",
  description:
    "Stores the customer's message and responds with the agent's reply, as JSON or, with `Accept: text/event-stream`, as a " +
    "stream: one `start`, any number of `delta`, then one `done` or `error`. While the chat is with the team, the reply is null.",
  body: SendMessageBody,
  maxBodyBytes: limits.jsonBodyBytes,
  response: z.object({ item: MessageTurn }),
  streams: true,
  errors: [
    ...jsonBodyErrors,
    "unsupported_resume",
    "chat_not_found",
    "file_not_found",
    "unsupported_accept",
    "idempotency_conflict",
    "turn_in_progress",
    "operation_capacity_reached",
    "chat_closed",
    "operation_interrupted",
    "operation_superseded",
    "file_not_ready",
    "chat_limit_reached",
    "service_unavailable",
  ],
  example: { body: { text: exampleTurn.message.text }, response: { item: exampleTurn } },
} as const satisfies OperationContract;
