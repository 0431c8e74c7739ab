/** Messages: listed in pages, sent with the reply as JSON or as a turn stream. */
import { limits } from "../../chat-api/limits.ts";
import { ListMessagesQuery, SendMessageBody } from "../../chat-api/message.ts";
import { operations } from "../../chat-api/operations.ts";
import { parseRequest } from "../../chat-api/parse-request.ts";
import { readLatestMessages } from "../chats/latest-messages.ts";
import { wantsEventStream } from "../http/accept.ts";
import { jsonBody, noBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute, route } from "../http/route.ts";
import { streamTurn } from "../relay/stream-turn.ts";

export const listMessages = operationRoute("listMessages", { limit: "read", body: noBody }, async (call) => {
  const query = parseRequest(ListMessagesQuery, queryObject(call.url));
  const { signal } = call.request;
  return jsonResponse(200, await call.upstream.listMessages(call.chatId, query, { signal }));
});

/** The end of the chat in one request (`chats/latest-messages.ts`). */
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
  async ({ bff, upstream, request, url, chatId }) => {
    const { cursor } = parseRequest(ListMessagesQuery.pick({ cursor: true }), queryObject(url));
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

/** A repeated parameter becomes a list, which no schema accepts as a string. */
function queryObject(url: URL): object {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of url.searchParams) {
    const given = values.get(name);
    if (given === undefined) values.set(name, value);
    else if (typeof given === "string") values.set(name, [given, value]);
    else given.push(value);
  }
  return Object.fromEntries(values);
}

export const sendMessage = operationRoute(
  "sendMessage",
  { limit: "send", body: jsonBody(SendMessageBody, operations.sendMessage.maxBodyBytes) },
  async (call) => {
    if (wantsEventStream(call.request.headers.get("accept"))) return streamTurn(call);
    // Not aborted when the browser leaves, because the customer has pressed Send.
    const { item, replayed } = await call.upstream.sendMessage(call.chatId, call.body, {
      idempotencyKey: call.key,
    });
    return jsonResponse(writeStatus("sendMessage", replayed), { item });
  },
);
