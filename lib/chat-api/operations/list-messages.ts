/** Reads a page of messages. */
import { z } from "zod";
import { limits } from "../limits.ts";
import { MessagePage } from "../message.ts";
import { cursorPattern } from "../patterns.ts";
import { exampleTurn } from "./example-chat.ts";
import type { OperationContract } from "./operation-contract.ts";

/** Query of listMessages (docs/chat-api.md, "Operations"), parsed from URL parameters. */
export const ListMessagesQuery = z.object({
  limit: z
    .string()
    .regex(/^[1-9][0-9]?$/, {
      error: `must be a whole number from 1 to ${limits.messagesPerPage.max}`,
    })
    .transform(Number)
    .refine((limit) => limit <= limits.messagesPerPage.max, {
      error: `must be at most ${limits.messagesPerPage.max}`,
    })
    .optional(),
  cursor: z.string().regex(cursorPattern, { error: "must be a cursor" }).optional(),
});
export type ListMessagesQuery = z.infer<typeof ListMessagesQuery>;

export const listMessages = {
  summary: "List messages",
  description: "Pages of messages, the oldest first; `nextCursor` leads to newer ones.",
  query: ListMessagesQuery,
  response: MessagePage,
  errors: ["invalid_request", "invalid_cursor", "chat_not_found", "cursor_expired"],
  example: { response: { items: [exampleTurn.message, exampleTurn.reply], nextCursor: null } },
} as const satisfies OperationContract;
