/** Examples for the OpenAPI description that belong to no single operation. */
import { bodyOfError, ChatApiError, type ChatApiErrorCode, responseOf } from "#lib/chat-api/errors.ts";
import { exampleTurn } from "#lib/chat-api/operations/example-chat.ts";
import { encodeTurnEvent } from "#lib/chat-api/turn-events.ts";

const requestId = "req_x7rhNknLr8d8m-Yr5S4hSw";
const { message, reply } = exampleTurn;

export const streamExample = [
  encodeTurnEvent({
    type: "start",
    chatId: message.chatId,
    requestId,
    messageId: message.id,
    replyId: reply?.id ?? null,
  }),
  encodeTurnEvent({ type: "delta", text: "Yes, we deliver " }),
  encodeTurnEvent({ type: "delta", text: "to every county of Ireland." }),
  encodeTurnEvent({ type: "done", item: exampleTurn }),
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
