/** Asks the chat's server for messages from the chat's end (`lib/bff/chats/chat-pages.ts`). */
import { type OperationIds, operationPath } from "../../chat-api/operations.ts";
import { type BrowserClientOptions, createBrowserClient } from "../identity/browser-client.ts";
import type { ReadMessages } from "../state/messages.ts";

export function createReadMessages(options: Omit<BrowserClientOptions, "pathOf">) {
  // The responses are pages of messages, so the client's `listMessages` can read them.
  function messagesAt(name: string) {
    const pathOf = (_: unknown, ids: OperationIds) => `${operationPath("listMessages", ids)}/${name}`;
    const client = createBrowserClient({ ...options, pathOf });
    return async (chatId: string, messageId?: string, signal?: AbortSignal): Promise<ReadMessages> => {
      const place = { cursor: messageId };
      const { items, nextCursor } = await client.listMessages(chatId, place, { signal });
      return { messages: items, hasOlder: nextCursor !== null };
    };
  }
  return {
    /** The messages before this one, or the chat's latest: at least a screenful if there are as many. */
    before: messagesAt("before"),
    /** The messages from this one on, with some before it. */
    news: messagesAt("news"),
  };
}
