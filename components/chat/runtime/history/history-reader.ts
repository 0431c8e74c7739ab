/**
 * Reads a chat's messages from its end. The API lists from the beginning and has no way to ask for the end.
 * This shop's server finds it, and returns the cursors of the pages before it. The browser remembers them,
 * which keeps the server's search short even after a restart.
 *
 * The specification does not say which way `nextCursor` leads. The reader expects pages from the oldest to
 * the newest; if the second page turns out to be older than the first, it reads the list the other way round.
 * It never relies on a list to end.
 */
import { ChatApiError } from "../../../../lib/chat-api/errors.ts";
import { limits } from "../../../../lib/chat-api/limits.ts";
import type { Message, MessagePage } from "../../../../lib/chat-api/message.ts";
import { leadsToPast } from "../../../../lib/chat-api/page-order.ts";
import type { ChatClient } from "../../../../lib/chat-client/client.ts";
import { parsePageStarts } from "../../../../lib/conversation/delivery/chat-list.ts";
import { conversationLimits } from "../../../../lib/conversation/limits.ts";
import { mergeMessages } from "../../../../lib/conversation/state/messages.ts";
import type { ChatStorage } from "../storage/storage.ts";
import type { ReadLatest } from "./latest-messages.ts";

export interface ReadMessages {
  messages: readonly Message[];
  /** More earlier messages can be read. */
  hasOlder: boolean;
}

export interface HistoryReader {
  /** The chat's latest messages, at least a screenful if there are as many. */
  readEnd(): Promise<ReadMessages>;
  /** The messages before those read so far. */
  readOlder(): Promise<ReadMessages>;
  /** The messages after those read so far, with the last known ones. One small request if there are none. */
  readNews(): Promise<readonly Message[]>;
}

export interface HistoryReaderOptions {
  client: Pick<ChatClient, "listMessages">;
  readLatest: ReadLatest;
  chatId: string;
  storage: ChatStorage;
}

const pageSize = limits.messagesPerPage.max;

export function createHistoryReader({
  client,
  readLatest,
  chatId,
  storage,
}: HistoryReaderOptions): HistoryReader {
  const storedName = `pages:${chatId}`;
  /** Cursors of the known pages. Grows during the search for the end; reset if the server forgets one. */
  let starts: (string | null)[] = [...parsePageStarts(storage.read(storedName))];
  /** Index in `starts` of the first page that was read. */
  let first = 0;
  /** Set once pages lead to the past: the cursor of the next older page, or null at the beginning. */
  let towardsPast: { next: string | null } | null = null;
  /** Cursors of older pages already read in such a list: a repeated one ends it. Reset with fresh cursors. */
  const pastPages = new Set<string>();
  /** The cursor that news is read from. Moves towards the end with each poll. */
  let tail: string | null = null;
  /** Set when the server has forgotten a cursor, until the end has been read again. */
  let isForgotten = false;

  const list = (cursor: string | null, limit: number = pageSize): Promise<MessagePage> =>
    client.listMessages(chatId, { limit, ...(cursor === null ? {} : { cursor }) });

  function keepStarts(known: readonly (string | null)[]): void {
    starts = [...known];
    storage.write(storedName, starts.length > 1 ? JSON.stringify(starts) : null);
  }

  const hasOlder = () => (towardsPast === null ? first > 0 : towardsPast.next !== null);

  /** Adds the server's page cursors from `starts[from]` on; true at the end. */
  async function readLatestFrom(from: number): Promise<readonly Message[] | null> {
    const latest = await readLatest(chatId, starts[from] ?? null);
    if (latest.starts.length === 0) {
      towardsPast = { next: latest.nextCursor };
      return latest.messages;
    }
    // From the list's beginning: the known cursors are out of date.
    const before = latest.starts[0] === null ? [] : starts.slice(0, from);
    first = before.length + latest.first;
    keepStarts([...before, ...latest.starts, ...(latest.nextCursor === null ? [] : [latest.nextCursor])]);
    tail = starts.at(-1) ?? null;
    return latest.nextCursor === null ? latest.messages : null;
  }

  async function readEnd(): Promise<ReadMessages> {
    // The last page may hold a single message, so the page before it is read, too.
    let from = Math.max(0, starts.length - 2);
    for (let call = 0; call < conversationLimits.latestCalls; call += 1) {
      const messages = await readLatestFrom(from);
      if (messages !== null) return { messages, hasOlder: hasOlder() };
      from = starts.length - 1;
    }
    // A list without an end: shows the last messages found; the rest arrives as news.
    first = starts.length - 1;
    return { messages: (await list(tail)).items, hasOlder: hasOlder() };
  }

  async function readOlder(): Promise<ReadMessages> {
    if (towardsPast !== null) {
      if (towardsPast.next === null) return { messages: [], hasOlder: false };
      const page = await list(towardsPast.next);
      pastPages.add(towardsPast.next);
      const isLoop = page.nextCursor !== null && pastPages.has(page.nextCursor);
      towardsPast = { next: isLoop ? null : page.nextCursor };
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
    for (let count = 0; count < conversationLimits.newsPages; count += 1) {
      const page = await list(tail);
      news = [...news, ...page.items];
      if (page.nextCursor === null || page.nextCursor === tail) {
        await moveTail(page.items.length);
        break;
      }
      if (tail === null) {
        // The chat has outgrown its first page, so the page order can be detected now.
        const following = await list(page.nextCursor);
        if (leadsToPast(page, following)) {
          towardsPast = { next: following.nextCursor };
          return mergeMessages(page.items, following.items, "oldest");
        }
      }
      tail = page.nextCursor;
    }
    return news;
  }

  /** With many known messages behind the cursor, each poll would return them all: asks for a later one. */
  async function moveTail(known: number): Promise<void> {
    if (known <= conversationLimits.tailSlack) return;
    const page = await list(tail, Math.min(known, pageSize) - 1);
    tail = page.nextCursor ?? tail;
  }

  /** The server may forget cursors; then everything is read again, once. */
  async function withFreshCursors<T>(read: () => Promise<T>, again: () => Promise<T>): Promise<T> {
    try {
      if (!isForgotten) return await read();
    } catch (error) {
      const isStale =
        error instanceof ChatApiError && (error.code === "cursor_expired" || error.code === "invalid_cursor");
      if (!isStale) throw error;
      isForgotten = true;
      keepStarts([null]);
      tail = null;
      towardsPast = null;
      pastPages.clear();
    }
    const result = await again();
    isForgotten = false;
    return result;
  }

  let readings: Promise<unknown> = Promise.resolve();

  /** Readings run one after the other, because each uses the page cursors that the one before has learnt. */
  function inTurn<T>(read: () => Promise<T>, again: () => Promise<T>): Promise<T> {
    const reading = readings.then(() => withFreshCursors(read, again));
    // A failure reaches the caller of that reading only; the next one starts all the same.
    readings = reading.catch(() => undefined);
    return reading;
  }

  return {
    readEnd: () => inTurn(readEnd, readEnd),
    readOlder: () => inTurn(readOlder, readEnd),
    readNews: () => inTurn(readNews, async () => (await readEnd()).messages),
  };
}
