/** Create a chat, get a chat. */

import { toChat } from "../chats/chat-row.ts";
import { requireChat } from "../chats/chat-store.ts";
import { createChat, defaultLocale } from "../chats/create-chat.ts";
import type { Database } from "../db/database.ts";
import { created, json } from "./responses.ts";
import { mountRead, mountWrite, type RouteDeps } from "./route.ts";

export function mountChats(deps: RouteDeps & { database: Database }): void {
  mountWrite(
    deps,
    "createChat",
    async ({ write, body, settings }) => {
      const { chat, isReplay } = await createChat(deps, write, body, settings.limits);
      return created(chat, isReplay);
    },
    { defaults: { locale: defaultLocale } },
  );

  mountRead(deps, "getChat", async (call) =>
    json(200, { item: toChat(await requireChat(deps.database.sql, call)) }),
  );
}
