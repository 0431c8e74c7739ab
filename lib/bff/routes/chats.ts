/** Chats, created by the customer's first message and readable only by that customer. */
import { CreateChatBody } from "../../chat-api/chat.ts";
import { operations } from "../../chat-api/operations.ts";
import { jsonBody, noBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute } from "../http/route.ts";

/** The Chat API's body without `userId`, which follows from the session. */
const NewChatBody = CreateChatBody.omit({ userId: true });

export const createChat = operationRoute(
  "createChat",
  { limit: "createChat", body: jsonBody(NewChatBody, operations.createChat.maxBodyBytes) },
  async ({ upstream, body, session, key }) => {
    const { item, replayed } = await upstream.createChat(
      { ...body, userId: session.userId },
      // Not aborted when the browser leaves: the chat could exist without anyone knowing.
      { idempotencyKey: key },
    );
    return jsonResponse(writeStatus("createChat", replayed), { item });
  },
);

export const getChat = operationRoute("getChat", { limit: "read", body: noBody }, async (call) => {
  const item = call.chat ?? (await call.upstream.getChat(call.chatId, { signal: call.request.signal }));
  return jsonResponse(200, { item });
});
