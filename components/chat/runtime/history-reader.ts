/**
 * Reads a chat's messages from its end. The API lists from the beginning and knows no way to ask for the end, so the
 * browser remembers where pages begin: the next opening reads the last two pages, however long the chat is.
 *
 * The specification leaves open which way `nextCursor` leads. Pages run from the oldest to the newest here; where a
 * second page turns out to be older than the first, the list is read the other way round.
 */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import type { Message, MessagePage } from "#lib/chat-api/message.ts";
import type { ChatClient } from "#lib/chat-client/client.ts";
import { type PageStarts, parsePageStarts } from "#lib/conversation/chat-list.ts";
import { conversationLimits } from "#lib/conversation/limits.ts";
import { mergeMessages } from "#lib/conversation/messages.ts";
import type { ChatStorage } from "./storage.ts";

export interface ReadMessages {
  messages: readonly Message[];
  /** Earlier messages are left to read. */
  hasOlder: boolean;
}

export interface HistoryReader {
  /** The chat's latest messages, at least a screen full where there are as many. */
  readEnd(): Promise<ReadMessages>;
  /** The messages before those read so far. */
  readOlder(): Promise<ReadMessages>;
  /** The messages after those read so far, with the last known one or few. Costs one small request when there are none. */
  readNews(): Promise<readonly Message[]>;
}

export interface HistoryReaderOptions {
  client: Pick<ChatClient, "listMessages">;
  chatId: string;
  storage: ChatStorage;
}

const pageSize = limits.messagesPerPage.max;

export function createHistoryReader({ client, chatId, storage }: HistoryReaderOptions): HistoryReader {
  const storedName = `pages:${chatId}`;
  /** Where the known pages begin. Grows while the end is sought; forgotten when the server forgot a cursor. */
  let starts: (string | null)[] = [...parsePageStarts(storage.read(storedName))];
  /** Index in `starts` of the first page that was read. */
  let first = 0;
  /** Set once pages were seen to lead to the past: the cursor of the next older page, or null at the beginning. */
  let towardsPast: { next: string | null } | null = null;
  /** Where the news begin. Moves towards the end with each reading. */
  let tail: string | null = null;

  const list = (cursor: string | null, limit: number = pageSize): Promise<MessagePage> =>
    client.listMessages(chatId, { limit, ...(cursor === null ? {} : { cursor }) });

  function keepStarts(known: PageStarts): void {
    starts = [...known];
    storage.write(storedName, starts.length > 1 ? JSON.stringify(starts) : null);
  }

  /** Follows the pages from `starts[from]` to the end of the list. */
  async function walk(from: number): Promise<readonly Message[]> {
    first = from;
    let messages: readonly Message[] = [];
    let page = await list(starts[from] ?? null);
    for (;;) {
      messages = mergeMessages(messages, page.items, "newest");
      const next = page.nextCursor;
      if (next === null || starts.includes(next)) break;
      const following = await list(next);
      if (from === 0 && starts.length === 1 && isOlder(following, page)) {
        towardsPast = { next: following.nextCursor };
        return mergeMessages(messages, following.items, "oldest");
      }
      starts.push(next);
      page = following;
    }
    keepStarts(starts);
    tail = starts.at(-1) ?? null;
    return messages;
  }

  async function readEnd(): Promise<ReadMessages> {
    const last = starts.length - 1;
    const [before, messages] = await Promise.all([
      last > 0 ? list(starts[last - 1] ?? null) : null,
      walk(last),
    ]);
    if (before === null) return { messages, hasOlder: hasOlder() };
    first = last - 1;
    return { messages: mergeMessages(messages, before.items, "oldest"), hasOlder: hasOlder() };
  }

  const hasOlder = () => (towardsPast === null ? first > 0 : towardsPast.next !== null);

  async function readOlder(): Promise<ReadMessages> {
    if (towardsPast !== null) {
      if (towardsPast.next === null) return { messages: [], hasOlder: false };
      const page = await list(towardsPast.next);
      towardsPast = { next: page.nextCursor };
      return { messages: page.items, hasOlder: hasOlder() };
    }
    if (first === 0) return { messages: [], hasOlder: false };
    const page = await list(starts[first - 1] ?? null);
    first -= 1;
    return { messages: page.items, hasOlder: hasOlder() };
  }

  async function readNews(): Promise<readonly Message[]> {
    if (towardsPast !== null) return (await list(null, limits.messagesPerPage.default)).items;
    let news: readonly Message[] = [];
    for (;;) {
      const page = await list(tail);
      news = [...news, ...page.items];
      if (page.nextCursor === null || page.nextCursor === tail) {
        await moveTail(page.items.length);
        return news;
      }
      tail = page.nextCursor;
    }
  }

  /** With many known messages behind the cursor, each poll would bring them all again: asks for a nearer one. */
  async function moveTail(known: number): Promise<void> {
    if (known <= conversationLimits.tailSlack) return;
    const page = await list(tail, Math.min(known, pageSize) - 1);
    tail = page.nextCursor ?? tail;
  }

  /** The server may forget cursors; then everything is read anew, once. */
  async function withFreshCursors<T>(read: () => Promise<T>, again: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      const isStale =
        error instanceof ChatApiError && (error.code === "cursor_expired" || error.code === "invalid_cursor");
      if (!isStale) throw error;
      keepStarts([null]);
      tail = null;
      towardsPast = null;
      return again();
    }
  }

  return {
    readEnd: () => withFreshCursors(readEnd, readEnd),
    readOlder: () => withFreshCursors(readOlder, readEnd),
    readNews: () => withFreshCursors(readNews, () => walk(0)),
  };
}

function isOlder(page: MessagePage, than: MessagePage): boolean {
  const time = page.items.find(({ createdAt }) => createdAt !== null)?.createdAt ?? null;
  const otherTime = than.items.find(({ createdAt }) => createdAt !== null)?.createdAt ?? null;
  return time !== null && otherTime !== null && Date.parse(time) < Date.parse(otherTime);
}
