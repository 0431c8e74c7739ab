/** The collection: the form that the agent asks the customer to fill in. */
import { SubmitCollectionBody } from "../../chat-api/collection.ts";
import { operations } from "../../chat-api/operations.ts";
import { jsonBody, noBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute } from "../http/route.ts";

export const getCollection = operationRoute(
  "getCollection",
  { limit: "read", body: noBody },
  async ({ upstream, chatId, request }) =>
    jsonResponse(200, { item: await upstream.getCollection(chatId, { signal: request.signal }) }),
);

export const submitCollection = operationRoute(
  "submitCollection",
  { limit: "send", body: jsonBody(SubmitCollectionBody, operations.submitCollection.maxBodyBytes) },
  async ({ upstream, chatId, body, key }) => {
    const { item, replayed } = await upstream.submitCollection(chatId, body, { idempotencyKey: key });
    return jsonResponse(writeStatus("submitCollection", replayed), { item });
  },
);
