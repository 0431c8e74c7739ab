/** Sends a message and gets the agent's reply. */
import { z } from "zod";
import { limits } from "../limits.ts";
import { MessageTurn, SendMessageBody } from "../message.ts";
import { exampleTurn } from "./example-chat.ts";
import { jsonBodyErrors, type OperationContract } from "./operation-contract.ts";

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
