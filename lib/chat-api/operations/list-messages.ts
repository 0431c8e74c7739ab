/** Reads a page of messages. */
import { ListMessagesQuery, MessagePage } from "../message.ts";
import { exampleTurn } from "./example-chat.ts";
import type { OperationContract } from "./operation-contract.ts";

export const listMessages = {
  summary: "List messages",
  description: "Pages of messages, the oldest first; `nextCursor` leads to newer ones.",
  query: ListMessagesQuery,
  response: MessagePage,
  errors: ["invalid_request", "invalid_cursor", "chat_not_found", "cursor_expired"],
  example: { response: { items: [exampleTurn.message, exampleTurn.reply], nextCursor: null } },
} as const satisfies OperationContract;
