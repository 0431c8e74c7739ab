import { callerHeader } from "../../chat-api/headers.ts";
import type { MessagePage } from "../../chat-api/message.ts";
import type { Browser } from "../browser/browser.ts";
import { request } from "../identity/request.ts";
import { guestOwner } from "../identity/session.ts";
import type { Storages } from "../storage/storage.ts";
import { createRemembered } from "./remembered.ts";

export interface MissedDeps {
  /** `api`: the base path of the chat's server. */
  session: { api: string };
  browser: Pick<Browser, "fetch">;
  storages: Storages;
  store: { getState(): { owner: string | null } };
}

/**
 * Counts the unread messages of the last chat on screen, among its latest. A failure is not repeated. Counts
 * none after another tab has told of another customer. Never rejects.
 */
export async function readMissed(
  { session, browser, storages, store }: MissedDeps,
  onUnread: (count: number) => void,
): Promise<void> {
  const owner = storages.owner();
  if (owner === null) return;
  const remembered = createRemembered(storages.of(owner));
  const chatId = remembered.current()?.chatId ?? null;
  if (chatId === null || remembered.chat(chatId) === null) return;
  const page = await request(browser.fetch, `${session.api}/chats/${chatId}/messages/before`, {
    // The server refuses the request if another customer has signed in. A guest's tag is not stored.
    headers: owner === guestOwner ? {} : { [callerHeader]: owner },
    like: "listMessages",
  })
    .then((response): Promise<MessagePage> => response.json())
    .catch(() => null);
  // Meanwhile the customer may have opened the chat, signed out, or read the messages in another tab.
  const isOthers = store.getState().owner !== null || storages.owner() !== owner;
  if (page === null || isOthers) return;
  const seenId = remembered.chat(chatId)?.seenId;
  const seen = page.items.findIndex(({ id }) => id === seenId);
  onUnread(page.items.filter(({ role }, index) => role !== "visitor" && index > seen).length);
  const stop = storages.onOwner(() => {
    stop();
    if (store.getState().owner === null) onUnread(0);
  });
}
