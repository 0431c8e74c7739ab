/** Chats: started by the customer's first message, and only ever the customer's own. */
import { CreateChatBody } from "#lib/chat-api/chat.ts";
import { operations } from "#lib/chat-api/operations.ts";
import { jsonBody, noBody } from "../http/body.ts";
import { jsonResponse, writeStatus } from "../http/responses.ts";
import { operationRoute } from "../http/route.ts";

/** As the Chat API's, but whose chat it is follows from the session alone. */
const NewChatBody = CreateChatBody.omit({ userId: true });

export const createChat = operationRoute(
  "createChat",
  { limit: "createChat", body: jsonBody(NewChatBody, operations.createChat.maxBodyBytes) },
  async ({ bff, body, session, key, note }) => {
    const upstream = bff.upstream.client(note);
    const { item, replayed } = await upstream.createChat(
      { ...body, userId: session.userId },
      // Not given up when the browser leaves: the chat would exist without anyone knowing.
      { idempotencyKey: key },
    );
    return jsonResponse(writeStatus("createChat", replayed), { item });
  },
);

export const getChat = operationRoute("getChat", { limit: "read", body: noBody }, async (call) => {
  const upstream = call.bff.upstream.client(call.note);
  const item = call.chat ?? (await upstream.getChat(call.chatId, { signal: call.request.signal }));
  return jsonResponse(200, { item });
});
