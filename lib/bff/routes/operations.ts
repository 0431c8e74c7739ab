/** The routes of the Chat API's nine operations, and of a chat's messages from its end. */
import { z } from "zod";
import { ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import { type JsonBody, type JsonOperation, operationContracts } from "../../chat-api/operation-contracts.ts";
import { CreateChatBody } from "../../chat-api/operations/create-chat.ts";
import { ListMessagesQuery } from "../../chat-api/operations/list-messages.ts";
import type { OperationName } from "../../chat-api/operations.ts";
import { parseRequest, wantsEventStream } from "../../chat-api/parse-request.ts";
import type { ChatPages } from "../chats/chat-pages.ts";
import { fileResponse } from "../files/file-response.ts";
import { fileBody } from "../files/multipart.ts";
import { type BodyReader, jsonBody, noBody } from "../http/body.ts";
import { jsonResponse, writeResponse } from "../http/responses.ts";
import { operationRoute, type Route } from "../http/route.ts";
import { streamTurn } from "../relay/turn-stream.ts";

// Writes are not aborted when the browser leaves: the customer has pressed the button, and an aborted write
// could leave a chat, a file or a message that nobody knows of.

function bodyOf<Name extends JsonOperation>(name: Name): BodyReader<JsonBody<Name>> {
  const { body, maxBodyBytes } = operationContracts[name];
  // The schema belongs to this operation, which TypeScript cannot infer from the lookup.
  return jsonBody<z.ZodType>(body, maxBodyBytes) as BodyReader<JsonBody<Name>>;
}

/** The Chat API's body without `userId`, which follows from the session. */
const NewChatBody = CreateChatBody.omit({ userId: true });

const createChat = operationRoute(
  "createChat",
  { limit: "send", body: jsonBody(NewChatBody, operationContracts.createChat.maxBodyBytes) },
  async ({ bff, upstream, body, key, ...caller }) => {
    const giveBack = await bff.rateLimits.consumeOnce("createChat", key, caller);
    const { userId, customer } = caller.session;
    const creation = upstream.createChat({ ...body, userId }, { idempotencyKey: key });
    const created = await creation.catch((error: unknown) => {
      if (error instanceof ChatApiError && error.rule.outcome !== "unknown") giveBack();
      throw error;
    });
    if (created.replayed) giveBack();
    if (customer === null)
      caller.setHeader(
        "Set-Cookie",
        bff.guests.rememberChat(created.item.id, bff.callerTags(caller.session)),
      );
    return writeResponse("createChat", created);
  },
);

const getChat = operationRoute("getChat", { limit: "read", body: noBody }, async (call) => {
  const item = call.chat ?? (await call.upstream.getChat(call.chatId, { signal: call.request.signal }));
  return jsonResponse(200, { item });
});

const listMessages = operationRoute("listMessages", { limit: "read", body: noBody }, async (call) => {
  const query = parseRequest(ListMessagesQuery, queryObject(call.url));
  const { signal } = call.request;
  return jsonResponse(200, await call.upstream.listMessages(call.chatId, query, { signal }));
});

/** The message at which the browser's part of the list ends. The Chat API does not limit IDs. */
const PlaceQuery = z.object({ cursor: z.string().min(1).max(2_048).optional() });

/** A chat's messages from its end (`chats/chat-pages.ts`). A search also counts in the limit `latest`. */
function messagesAt(name: string, read: keyof ChatPages): Route {
  return operationRoute("listMessages", { name, limit: "read", body: noBody }, async (call) => {
    const { bff, upstream, request, url, chatId } = call;
    const { cursor = null } = parseRequest(PlaceQuery, queryObject(url));
    const page = await bff.chatPages[read](
      {
        chatId,
        list: (start, limit) =>
          upstream.listMessages(
            chatId,
            { limit, ...(start === null ? {} : { cursor: start }) },
            { signal: request.signal },
          ),
        onSearch: () => bff.rateLimits.consume("latest", call),
      },
      cursor,
    );
    return jsonResponse(200, page);
  });
}

export const messagesBefore = messagesAt("messagesBefore", "before");
export const newMessages = messagesAt("newMessages", "news");

/** A repeated parameter becomes a list, which the schemas refuse: they expect a string. */
function queryObject({ searchParams }: URL): object {
  const names = new Set(searchParams.keys());
  return Object.fromEntries(
    Array.from(names, (name) => {
      const values = searchParams.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

const sendMessage = operationRoute(
  "sendMessage",
  { limit: "send", body: bodyOf("sendMessage") },
  async (call) => {
    const { customer, userId } = call.session;
    // A guest's chat that the customer follows is known to this browser alone.
    if (customer !== null && call.userId === userId) call.bff.listedChats?.add(customer, call.chatId);
    if (wantsEventStream(call.request.headers.get("accept"))) return streamTurn(call);
    const { upstream, chatId, body, key } = call;
    return writeResponse("sendMessage", await upstream.sendMessage(chatId, body, { idempotencyKey: key }));
  },
);

const uploadFile = operationRoute(
  "uploadFile",
  { limit: "upload", isLarge: () => true, body: fileBody },
  async ({ upstream, chatId, body, key }) =>
    writeResponse("uploadFile", await upstream.uploadFile(chatId, body, { idempotencyKey: key })),
);

/** Serves a file with headers that keep it from running (`files/file-response.ts`). */
const downloadFile = operationRoute(
  "downloadFile",
  { limit: "download", body: noBody, caller: "own_pages_or_address_bar" },
  async ({ bff, session, address, upstream, chatId, fileId, request, note, deferLog }) => {
    const slot = bff.downloadSlots.take({ session, address });
    try {
      return await fileResponse(
        await upstream.downloadFile(chatId, fileId, { signal: request.signal }),
        () => {
          const logLater = deferLog();
          return (outcome) => {
            slot.release();
            note({ outcome });
            logLater();
          };
        },
      );
    } catch (thrown) {
      slot.release();
      throw thrown;
    }
  },
);

const getCollection = operationRoute(
  "getCollection",
  { limit: "read", body: noBody },
  async ({ upstream, chatId, request }) =>
    jsonResponse(200, { item: await upstream.getCollection(chatId, { signal: request.signal }) }),
);

/** Forms that people fill in are as short as messages. A body of unknown length counts as long. */
const isLongForm = ({ headers }: Request) =>
  !(Number(headers.get("content-length") ?? Number.NaN) <= limits.jsonBodyBytes);

const submitCollection = operationRoute(
  "submitCollection",
  { limit: "send", isLarge: isLongForm, body: bodyOf("submitCollection") },
  async ({ upstream, chatId, body, key }) =>
    writeResponse("submitCollection", await upstream.submitCollection(chatId, body, { idempotencyKey: key })),
);

const handoff = operationRoute(
  "handoff",
  { limit: "send", body: bodyOf("handoff") },
  async ({ upstream, chatId, body, key }) =>
    writeResponse("handoff", await upstream.handoff(chatId, body, { idempotencyKey: key })),
);

/** The route of each operation, at its path in the contract. */
export const operationRoutes = {
  createChat,
  getChat,
  listMessages,
  sendMessage,
  uploadFile,
  downloadFile,
  getCollection,
  submitCollection,
  handoff,
} satisfies Record<OperationName, Route>;
