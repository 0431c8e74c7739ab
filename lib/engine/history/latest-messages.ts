/**
 * Asks the chat's server for a chat's latest messages. The server follows the pages, so one request is
 * usually enough.
 */
import type { Message, MessagePage } from "../../chat-api/message.ts";
import { type OperationIds, operationPath } from "../../chat-api/operations.ts";
import { type PageStarts, pageStartsOf } from "../chats/chat-list.ts";
import { type BrowserClientOptions, createBrowserClient } from "../identity/browser-client.ts";

/** The response of `GET …/chats/{chatId}/messages/latest`; see `lib/bff/chats/latest-messages.ts`. */
export interface LatestMessages {
  /** Oldest first. Empty if the server stopped before the end, at its limit of time or pages. */
  messages: readonly Message[];
  /** Cursors of the pages from the requested one on. Empty for a list whose pages lead to the past. */
  starts: PageStarts;
  /** Index in `starts` of the page where the messages begin. */
  first: number;
  /**
   * Where the search for the end continues; null if it is done. In a list that leads to the past: the next
   * older page; null if there is none.
   */
  nextCursor: string | null;
}

export type ReadLatest = (chatId: string, cursor: string | null) => Promise<LatestMessages>;

export function createReadLatest(options: Omit<BrowserClientOptions, "pathOf">): ReadLatest {
  // The response is a page of messages with two more fields, so the client's `listMessages` can parse it.
  const pathOf = (_: unknown, ids: OperationIds) => `${operationPath("listMessages", ids)}/latest`;
  const client = createBrowserClient({ ...options, pathOf });
  return async (chatId, cursor) => {
    const page: MessagePage & { starts?: unknown; first?: unknown } = await client.listMessages(
      chatId,
      cursor === null ? {} : { cursor },
    );
    const starts = pageStartsOf(page.starts);
    return {
      messages: page.items,
      starts,
      first: typeof page.first === "number" ? page.first : 0,
      nextCursor: page.nextCursor,
    };
  };
}
