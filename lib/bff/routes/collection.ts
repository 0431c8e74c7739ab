/** The collection: what the agent has asked the customer to fill in. */
import { SubmitCollectionBody } from "#lib/chat-api/collection.ts";
import { operations } from "#lib/chat-api/operations.ts";
import { jsonBody, noBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute } from "../http/route.ts";

export const getCollection = operationRoute(
  "getCollection",
  { limit: "read", body: noBody },
  async (call) => {
    const upstream = call.bff.upstream.client(call.note);
    return jsonResponse(200, {
      item: await upstream.getCollection(call.chatId, { signal: call.request.signal }),
    });
  },
);

export const submitCollection = operationRoute(
  "submitCollection",
  { limit: "send", body: jsonBody(SubmitCollectionBody, operations.submitCollection.maxBodyBytes) },
  async ({ bff, chatId, body, key, note }) => {
    const upstream = bff.upstream.client(note);
    const { item, replayed } = await upstream.submitCollection(chatId, body, { idempotencyKey: key });
    return jsonResponse(writeStatus("submitCollection", replayed), { item });
  },
);
