/**
 * Reads a chat's messages from its end. The API lists from the beginning and has no way to ask for the end.
 * This shop's server finds it, and returns the cursors of the pages before it. The browser remembers them,
 * which keeps the server's search short even after a restart.
 *
 * The specification does not say which way `nextCursor` leads. The reader expects pages from the oldest to
 * the newest; if the second page turns out to be older than the first, it reads the list the other way round.
 * It limits every search, because a list may have no end.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import type { Message, MessagePage } from "../../chat-api/message.ts";
import { leadsToPast, readUpTo } from "../../chat-api/page-order.ts";
import type { ChatCalls } from "../../chat-client/calls.ts";
import { type PageStarts, parsePageStarts } from "../chats/chat-list.ts";
import * as conversationLimits from "../limits.ts";
import { mergeMessages } from "../state/messages.ts";
import type { ChatStorage } from "../storage/storage.ts";
import { pagesName } from "../storage-names.ts";
import type { ReadLatest } from "./latest-messages.ts";

export interface ReadMessages {
  messages: readonly Message[];
  /** More earlier messages can be read. */
  hasOlder: boolean;
}

export type HistoryReader = ReturnType<typeof createHistoryReader>;

export interface HistoryReaderOptions {
  client: Pick<ChatCalls, "listMessages">;
  readLatest: ReadLatest;
  chatId: string;
  storage: ChatStorage;
}

const pageSize = limits.messagesPerPage.max;

/** A chat and the known cursors of its pages. */
interface Pages extends HistoryReaderOptions {
  /** Cursors of the known pages. Grows during the search for the end; reset if the server forgets one. */
  starts: PageStarts;
  /** Index in `starts` of the first page that was read. */
  first: number;
  /** The cursor that news is read from. Moves towards the end as messages arrive. */
  tail: string | null;
  /** Set if `nextCursor` leads to older pages. */
  past: Past | null;
  /** The IDs of the first and the last message read so far. */
  firstId: string | undefined;
  lastId: string | undefined;
}

/** The older pages of a list that leads to the past. */
interface Past {
  /** The cursor of the next older page, or null at the beginning. */
  next: string | null;
  /** Cursors of older pages already read: a repeated one ends the list. */
  read: Set<string | null>;
}

const startOfPast = (next: string | null): Past => ({ next, read: new Set() });

export function createHistoryReader(options: HistoryReaderOptions) {
  const starts = parsePageStarts(options.storage.read(pagesName(options.chatId)));
  const pages: Pages = {
    ...options,
    starts,
    first: 0,
    tail: null,
    past: null,
    firstId: undefined,
    lastId: undefined,
  };
  const inTurn = createReadings(() => {
    keepStarts(pages, [null]);
    pages.tail = null;
    pages.past = null;
  });
  const end = () => readEnd(pages);
  const endAgain = () => readEndAgain(pages);
  return {
    /** The chat's latest messages, at least a screenful if there are as many. */
    readEnd: () => inTurn(end, end),
    /** The messages before those read so far. */
    readOlder: () => inTurn(() => readOlder(pages), endAgain),
    /** The messages after those read so far, with the last known ones. Usually one small request. */
    readNews: () =>
      inTurn(
        () => readNews(pages),
        async () => (await endAgain()).messages,
      ),
  };
}

function list(
  { client, chatId }: Pages,
  cursor: string | null,
  limit: number = pageSize,
): Promise<MessagePage> {
  return client.listMessages(chatId, { limit, ...(cursor === null ? {} : { cursor }) });
}

function keepStarts(pages: Pages, starts: PageStarts): void {
  pages.starts = starts;
  pages.storage.write(pagesName(pages.chatId), starts.length > 1 ? JSON.stringify(starts) : null);
}

const hasOlder = ({ past, first }: Pages) => (past === null ? first > 0 : past.next !== null);

const holds = (messages: readonly Message[], id: string | undefined) =>
  messages.some((message) => message.id === id);

/** The end, and what is between it and the last message read before. */
async function readEndAgain(pages: Pages): Promise<ReadMessages> {
  const { lastId } = pages;
  let read = await readEnd(pages);
  for (let count = 0; count < conversationLimits.newsPages && read.hasOlder; count += 1) {
    if (lastId === undefined || holds(read.messages, lastId)) break;
    const { messages, hasOlder } = await readOlder(pages);
    read = { messages: mergeMessages(read.messages, messages, "oldest"), hasOlder };
  }
  return read;
}

async function readEnd(pages: Pages): Promise<ReadMessages> {
  const read = await findEnd(pages);
  pages.firstId = read.messages[0]?.id;
  pages.lastId = read.messages.at(-1)?.id;
  return read;
}

async function findEnd(pages: Pages): Promise<ReadMessages> {
  // The last page may hold a single message, so the page before it is read, too.
  let from = Math.max(0, pages.starts.length - 2);
  for (let call = 0; call < conversationLimits.latestCalls; call += 1) {
    const messages = await readLatestFrom(pages, from);
    if (messages !== null) return { messages, hasOlder: hasOlder(pages) };
    from = pages.starts.length - 1;
  }
  // A list without an end: shows the last messages found; the rest arrives as news.
  pages.first = pages.starts.length - 1;
  return { messages: (await list(pages, pages.tail)).items, hasOlder: hasOlder(pages) };
}

/**
 * Adds the server's page cursors from `starts[from]` on. Returns the latest messages, or null while the end
 * is not reached.
 */
async function readLatestFrom(pages: Pages, from: number): Promise<readonly Message[] | null> {
  const latest = await pages.readLatest(pages.chatId, pages.starts[from] ?? null);
  if (latest.starts.length === 0) {
    pages.past = startOfPast(latest.nextCursor);
    return latest.messages;
  }
  // If the server started from the list's beginning, the known cursors are out of date.
  const before = pages.starts.slice(0, Math.max(0, pages.starts.indexOf(latest.starts[0] ?? null)));
  pages.first = before.length + latest.first;
  const following = latest.nextCursor === null ? [] : [latest.nextCursor];
  keepStarts(pages, [...before, ...latest.starts, ...following]);
  pages.tail = pages.starts.at(-1) ?? null;
  return latest.nextCursor === null ? latest.messages : null;
}

async function readOlder(pages: Pages): Promise<ReadMessages> {
  const { past } = pages;
  if (!hasOlder(pages)) return { messages: [], hasOlder: false };
  if (past !== null) {
    const { items, nextCursor } = await list(pages, past.next);
    past.read.add(past.next);
    past.next = past.read.has(nextCursor) ? null : nextCursor;
    return { messages: items, hasOlder: hasOlder(pages) };
  }
  const { starts, first, firstId } = pages;
  const known = { cursor: starts[first] ?? null, id: firstId };
  const messages = await readUpTo(known, starts[first - 1] ?? null, (cursor) => list(pages, cursor));
  pages.first -= 1;
  pages.firstId = messages[0]?.id ?? firstId;
  return { messages, hasOlder: hasOlder(pages) };
}

async function readNews(pages: Pages): Promise<readonly Message[]> {
  if (pages.past !== null) return readNewest(pages);
  let news: readonly Message[] = [];
  // Kept once all is read: after a failed request the next call reads the same messages again.
  let { tail } = pages;
  for (let count = 0; count < conversationLimits.newsPages; count += 1) {
    const page = await list(pages, tail);
    news = [...news, ...page.items];
    if (page.nextCursor === null || page.nextCursor === tail) {
      tail = await nearerTail(pages, tail, page.items.length);
      break;
    }
    if (tail === null) {
      // The chat has outgrown its first page, so the page order can be detected now.
      const following = await list(pages, page.nextCursor);
      if (leadsToPast(page, following)) {
        pages.past = startOfPast(following.nextCursor);
        return readNewest(pages);
      }
    }
    tail = page.nextCursor;
  }
  pages.tail = tail;
  return news;
}

/** The newest messages of a list that leads to the past, down to the last known one. */
async function readNewest(pages: Pages): Promise<readonly Message[]> {
  const newest = await list(pages, null, limits.messagesPerPage.default);
  let news: readonly Message[] = newest.items;
  let { nextCursor } = newest;
  for (let count = 1; count < conversationLimits.newsPages && nextCursor !== null; count += 1) {
    if (holds(news, pages.lastId)) break;
    const page = await list(pages, nextCursor);
    news = mergeMessages(news, page.items, "oldest");
    nextCursor = page.nextCursor;
  }
  pages.lastId = news.at(-1)?.id ?? pages.lastId;
  return news;
}

/** A later cursor if many known messages follow `tail`, because each poll would return all of them. */
async function nearerTail(pages: Pages, tail: string | null, count: number): Promise<string | null> {
  if (count <= conversationLimits.tailSlack) return tail;
  const page = await list(pages, tail, Math.min(count, pageSize) - 1);
  return page.nextCursor ?? tail;
}

/**
 * Runs reads one after the other, because each uses the page cursors that the previous one has found. If the
 * server refuses a cursor, drops all cursors and reads again from the end, once.
 */
function createReadings(forgetCursors: () => void) {
  /** Set when the server has forgotten a cursor, until the end has been read again. */
  let isForgotten = false;
  let readings: Promise<unknown> = Promise.resolve();

  async function withFreshCursors<T>(read: () => Promise<T>, again: () => Promise<T>): Promise<T> {
    try {
      if (!isForgotten) return await read();
    } catch (error) {
      const isStale = error instanceof ChatApiError && error.rule.ends === "cursor";
      if (!isStale) throw error;
      isForgotten = true;
      forgetCursors();
    }
    const result = await again();
    isForgotten = false;
    return result;
  }

  return <T>(read: () => Promise<T>, again: () => Promise<T>): Promise<T> => {
    const reading = readings.then(() => withFreshCursors(read, again));
    // Only the caller of a failed read learns of the failure. The next read starts as usual.
    readings = reading.catch(() => undefined);
    return reading;
  };
}
