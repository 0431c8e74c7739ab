/** Messages: listed in pages, sent with the reply as JSON or as a turn stream. */
import { limits } from "#lib/chat-api/limits.ts";
import { ListMessagesQuery, SendMessageBody } from "#lib/chat-api/message.ts";
import { operations } from "#lib/chat-api/operations.ts";
import { parseRequest } from "#lib/chat-api/parse-request.ts";
import { readLatestMessages } from "../history/latest-messages.ts";
import { wantsEventStream } from "../http/accept.ts";
import { jsonBody, noBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute, route } from "../http/route.ts";
import { streamTurn } from "../relay/stream-turn.ts";

export const listMessages = operationRoute("listMessages", { limit: "read", body: noBody }, async (call) => {
  const query = parseRequest(ListMessagesQuery, queryObject(call.request));
  const upstream = call.bff.upstream.client(call.note);
  return jsonResponse(200, await upstream.listMessages(call.chatId, query, { signal: call.request.signal }));
});

/** The chat's end in one request, wherever the list begins: see `history/latest-messages.ts`. */
export const latestMessages = route(
  {
    name: "latestMessages",
    method: "GET",
    operation: "listMessages",
    caller: "own_pages",
    session: "required",
    limit: "latest",
    body: noBody,
  },
  async ({ bff, request, chatId, note }) => {
    const { cursor } = parseRequest(ListMessagesQuery.pick({ cursor: true }), queryObject(request));
    const upstream = bff.upstream.client(note);
    const latest = await readLatestMessages({
      chatId,
      cursor: cursor ?? null,
      known: bff.pageStarts,
      list: (start) =>
        upstream.listMessages(
          chatId,
          { limit: limits.messagesPerPage.max, ...(start === null ? {} : { cursor: start }) },
          { signal: request.signal },
        ),
    });
    return jsonResponse(200, latest);
  },
);

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
