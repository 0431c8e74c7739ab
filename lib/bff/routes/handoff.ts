/** Passes the chat to the team. */
import { HandoffBody } from "../../chat-api/handoff.ts";
import { operations } from "../../chat-api/operations.ts";
import { jsonBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute } from "../http/route.ts";

export const handoff = operationRoute(
  "handoff",
  { limit: "send", body: jsonBody(HandoffBody, operations.handoff.maxBodyBytes) },
  async ({ upstream, chatId, body, key }) => {
    const { item, replayed } = await upstream.handoff(chatId, body, { idempotencyKey: key });
    return jsonResponse(writeStatus("handoff", replayed), { item });
  },
);
