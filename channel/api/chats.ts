/** Create a chat, get a chat. */
import type { Chat } from "#lib/chat-api/chat.ts";
import { type ChatRow, toChat } from "../chats/chat-row.ts";
import { requireChat } from "../chats/chat-store.ts";
import { createChat, defaultLocale } from "../chats/create-chat.ts";
import type { Database } from "../db/database.ts";
import { withCurrentAvailability } from "../handoffs/current-availability.ts";
import { created, json } from "../http/responses.ts";
import type { ChannelSettings } from "../settings/settings.ts";
import { mountRead, mountWrite, type RouteDeps } from "./route.ts";

export function mountChats(deps: RouteDeps & { database: Database }): void {
  const asItIsNow = (chat: ChatRow, { hours }: ChannelSettings): Chat =>
    toChat(withCurrentAvailability(chat, hours, deps.clock.now()));

  mountWrite(
    deps,
    "createChat",
    async ({ write, body, settings }) => {
      const { chat, isReplay } = await createChat(deps, write, body, settings.limits);
      return created(asItIsNow(chat, settings), isReplay);
    },
    { defaults: { locale: defaultLocale } },
  );

  mountRead(deps, "getChat", async (call) =>
    json(200, { item: asItIsNow(await requireChat(deps.database.sql, call), call.settings) }),
  );
}
