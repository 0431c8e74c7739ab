/** Messages: listed in pages, sent with the reply as JSON or as a turn stream. */
import { ListMessagesQuery, SendMessageBody } from "#lib/chat-api/message.ts";
import { operations } from "#lib/chat-api/operations.ts";
import { parseRequest } from "#lib/chat-api/parse-request.ts";
import { wantsEventStream } from "../http/accept.ts";
import { jsonBody, noBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute } from "../http/route.ts";
import { streamTurn } from "../relay/stream-turn.ts";

export const listMessages = operationRoute("listMessages", { limit: "read", body: noBody }, async (call) => {
  const query = parseRequest(ListMessagesQuery, queryObject(call.request));
  const upstream = call.bff.upstream.client(call.note);
  return jsonResponse(200, await upstream.listMessages(call.chatId, query, { signal: call.request.signal }));
});

/** A parameter that is given twice has no one value: it becomes a list, which no schema takes for a string. */
function queryObject(request: Request): object {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

export const sendMessage = operationRoute(
  "sendMessage",
  { limit: "send", body: jsonBody(SendMessageBody, operations.sendMessage.maxBodyBytes) },
  async (call) => {
    if (wantsEventStream(call.request.headers.get("accept"))) return streamTurn(call);
    const upstream = call.bff.upstream.client(call.note);
    // Not given up when the browser leaves: the customer has pressed send.
    const { item, replayed } = await upstream.sendMessage(call.chatId, call.body, {
      idempotencyKey: call.key,
    });
    return jsonResponse(writeStatus("sendMessage", replayed), { item });
  },
);
