/** Asks this shop's own server for the end of a chat: it follows the list's pages, which costs the browser one request. */
import type { Message, MessagePage } from "#lib/chat-api/message.ts";
import { operationPath } from "#lib/chat-api/operations.ts";
import { type PageStarts, pageStartsOf } from "#lib/conversation/chat-list.ts";
import { browserClientAt } from "./browser-client.ts";
import type { Session } from "./session.ts";

/** The answer of `GET /api/chats/{chatId}/messages/latest`; see `lib/bff/history/latest-messages.ts`. */
export interface LatestMessages {
  /** Oldest first. None where time ran out. */
  messages: readonly Message[];
  /** Where pages begin, from the asked one on. Empty for a list whose pages lead to the past. */
  starts: PageStarts;
  /** Which of `starts` the messages begin at. */
  first: number;
  /** Where to ask on; of a list that leads to the past, the page before. Null at the end. */
  nextCursor: string | null;
}

export type ReadLatest = (chatId: string, cursor: string | null) => Promise<LatestMessages>;

export function createReadLatest(session: Session): ReadLatest {
  // The answer is a page of messages with two fields more: the client reads it as one.
  const client = browserClientAt(session, (_, ids) => `${operationPath("listMessages", ids)}/latest`);
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
