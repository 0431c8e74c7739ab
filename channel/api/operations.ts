/** The handler of each of the Chat API's operations. */
import type { Chat } from "#lib/chat-api/chat.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import type { OperationName } from "#lib/chat-api/operations.ts";
import { parseIdempotencyKey } from "#lib/chat-api/parse-request.ts";
import { type ChatRow, requireChat, toChat } from "../chats/chat-store.ts";
import { createChat, defaultLocale } from "../chats/create-chat.ts";
import { getCollection } from "../collections/collection-store.ts";
import type { Core } from "../core.ts";
import { downloadFile } from "../files/file-store.ts";
import { uploadFile } from "../files/upload-file.ts";
import { acceptHandoff } from "../handoffs/accept-handoff.ts";
import { withCurrentAvailability } from "../handoffs/hours.ts";
import { requireNoEncoding } from "../http/request-body.ts";
import { created, json } from "../http/responses.ts";
import type { ChannelSettings } from "../settings/settings.ts";
import type { TurnRequestDeps } from "../turns/send-message.ts";
import { submitCollection } from "../turns/submit-collection.ts";
import { messageHandlers } from "./messages.ts";
import { type Handler, jsonWrite } from "./route.ts";

export function operationHandlers(deps: Core & TurnRequestDeps): Record<OperationName, Handler> {
  const asItIsNow = (chat: ChatRow, { hours }: ChannelSettings): Chat =>
    toChat(withCurrentAvailability(chat, hours, deps.clock.now()));

  return {
    ...messageHandlers(deps),

    createChat: jsonWrite(
      "createChat",
      async ({ write, body, settings }) => {
        const { chat, isReplay } = await createChat(deps, write, body, settings.limits);
        return created(asItIsNow(chat, settings), isReplay);
      },
      { defaults: { locale: defaultLocale } },
    ),

    getChat: async (call) =>
      json(200, { item: asItIsNow(await requireChat(deps.database.sql, call), call.settings) }),

    async uploadFile({ context, channelKey, chatId, request, settings }) {
      requireNoEncoding(request.headers);
      const key = parseIdempotencyKey(request.headers.get(headerNames.idempotencyKey));
      const { item, isReplay } = await uploadFile(
        deps,
        { channelKey, chatId },
        key,
        request,
        settings.limits.fileBytesPerChat,
      );
      context.set("requestBody", `(a file: ${item.filename}, ${item.byteSize} bytes)`);
      return created(item, isReplay);
    },

    downloadFile: (call) => downloadFile(deps, call, call.fileId),

    getCollection: async (call) => json(200, { item: await getCollection(deps.database.sql, call) }),

    submitCollection: jsonWrite(
      "submitCollection",
      async ({ context, write, body, settings }) => {
        const { item, isReplay } = await submitCollection(deps, write, body, settings.limits);
        if (isReplay) context.set("isReplay", true);
        // A first submission answers 200, too (docs/chat-api.md, "Idempotency").
        return json(200, { item });
      },
      { defaults: { values: new Map(), fieldIds: [] } },
    ),

    handoff: jsonWrite(
      "handoff",
      async ({ write, body, settings }) => {
        const { item, isReplay } = await acceptHandoff(deps, write, body, settings);
        return created(item, isReplay);
      },
      { defaults: { locale: defaultLocale } },
    ),
  };
}
