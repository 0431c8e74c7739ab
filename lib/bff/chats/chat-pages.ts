/**
 * Reads a chat's messages from its end. The Chat API lists them from the beginning and cannot start at the
 * end (docs/chat-api.md, "Operations"), so its pages must be read one after the other, but only once: the
 * process remembers where they begin. A browser names a place in the list by a message and has no cursor.
 *
 * The specification does not say which way `nextCursor` leads. Pages are expected from the oldest to the
 * newest; if the second page turns out to be older than the first, the list is read the other way round.
 * Each read stops at a limit, because a faulty list may never end: its cursors may repeat, and its length has
 * no bound.
 */
import { LRUCache } from "lru-cache";
import { ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import type { Message, MessagePage } from "../../chat-api/message.ts";
import { bffLimits } from "../configuration/limits.ts";

/** A page's cursor; null for the first page. */
type PageStart = string | null;

/** The pages of a chat that the process knows. */
interface KnownPages {
  /** The cursors at which pages of the longest length begin, oldest first. */
  starts: readonly PageStart[];
  /** A cursor nearer to the end than the last start, for polls; undefined if none is needed. */
  tail: string | undefined;
  /** Set if `nextCursor` leads to older pages. */
  leadsToPast: boolean;
  /**
   * Cursors by the ID of a page's first message: the page's own, or in a list that leads to the past that of
   * the page before it.
   */
  places: Map<string, PageStart>;
}

export interface ReadPages {
  chatId: string;
  list(cursor: PageStart, limit: number): Promise<MessagePage>;
  /** Called before a search of several pages, each of which costs the Chat API one read. */
  onSearch(): Promise<unknown>;
}

interface Search extends Pick<ReadPages, "onSearch"> {
  known: KnownPages;
  list(cursor: PageStart, limit?: number): Promise<MessagePage>;
}

/** Messages that are neighbours in the chat, oldest first. */
interface Part {
  items: readonly Message[];
  hasOlder: boolean;
}

export type ChatPages = ReturnType<typeof createChatPages>;

export function createChatPages(now: () => number = () => performance.now()) {
  const chats = new LRUCache<string, KnownPages>({ max: bffLimits.chatsWithKnownPages });

  /** If the Chat API has forgotten a cursor, reads once more without any. */
  async function reading(
    { chatId, list, onSearch }: ReadPages,
    read: (search: Search) => Promise<MessagePage>,
    isSecond = false,
  ): Promise<MessagePage> {
    const until = now() + bffLimits.searchTime;
    let count = 0;
    const known = chats.get(chatId) ?? noneKnown();
    chats.set(chatId, known);
    try {
      return await read({
        known,
        onSearch,
        list(cursor, limit = limits.messagesPerPage.max) {
          count += 1;
          // The browser asks again, and the search continues from the pages that are known by then.
          if (now() > until || count > bffLimits.searchPages)
            throw new ChatApiError("service_unavailable", { retryAfterSeconds: 1 });
          return list(cursor, limit);
        },
      });
    } catch (error) {
      const isStale = error instanceof ChatApiError && error.rule.ends === "cursor";
      if (!isStale || isSecond) throw error;
      chats.delete(chatId);
      return reading({ chatId, list, onSearch }, read, true);
    }
  }

  return {
    /**
     * The messages before this one, or at the chat's end: about a screenful. `nextCursor` is the ID of the
     * first of them, null at the beginning.
     * @throws ChatApiError from `list` and `onSearch`, and `service_unavailable` at the limits
     */
    before: (request: ReadPages, messageId: string | null) =>
      reading(request, (search) =>
        collect(partsBefore(search, messageId), (items) => items.length >= bffLimits.screenful),
      ),
    /**
     * The messages from this one on, perhaps with some before it: the page's last one. Without it, as many as
     * a poll reads.
     */
    news: (request: ReadPages, messageId: string | null) =>
      reading(request, (search) => readNews(search, messageId)),
  };
}

const noneKnown = (): KnownPages => ({
  starts: [null],
  tail: undefined,
  leadsToPast: false,
  places: new Map(),
});

const holds = (messages: readonly Message[], id: string | null) =>
  messages.some((message) => message.id === id);

/** Joins the parts, which come newest first, until there are enough messages. */
async function collect(
  parts: AsyncIterable<Part>,
  isEnough: (items: readonly Message[]) => boolean,
): Promise<MessagePage> {
  let items: Message[] = [];
  let hasOlder = false;
  for await (const part of parts) {
    // A list that leads to the past may have moved on between two of its pages.
    items = [...part.items.filter(({ id }) => !holds(items, id)), ...items];
    ({ hasOlder } = part);
    if (isEnough(items)) break;
  }
  return { items, nextCursor: hasOlder ? (items[0]?.id ?? null) : null };
}

async function readNews(search: Search, messageId: string | null): Promise<MessagePage> {
  const { known, list } = search;
  if (messageId !== null && !known.leadsToPast) {
    const start = known.tail ?? known.starts.at(-1) ?? null;
    const { items, nextCursor } = await list(start);
    if (nextCursor === null && holds(items, messageId)) {
      // Otherwise each poll would read all of them.
      if (items.length > bffLimits.tailSlack) {
        const nearer = await list(start, Math.min(items.length, limits.messagesPerPage.max) - 1);
        known.tail = nearer.nextCursor ?? known.tail;
      }
      return { items, nextCursor: null };
    }
    known.tail = undefined;
  }
  let count = 0;
  return collect(partsFromEnd(search, limits.messagesPerPage.default), (items) => {
    count += 1;
    return holds(items, messageId) || count === bffLimits.newsPages;
  });
}

/** The whole chat from its end on. The newest page of a list that leads to the past has `newestLength`. */
async function* partsFromEnd(search: Search, newestLength?: number): AsyncGenerator<Part> {
  const { known, list, onSearch } = search;
  if (known.leadsToPast) return yield* partsOfPast(search, null, newestLength);
  let { starts } = known;
  let page = await list(starts.at(-1) ?? null);
  /** The page before it, if it was read. */
  let previous: MessagePage | null = null;
  for (let next = page.nextCursor; next !== null && !starts.includes(next); next = page.nextCursor) {
    if (starts.length > bffLimits.pagesPerChat) break;
    // Only the first search of a chat: the next one begins at its last known page.
    if (starts.length === 1) await onSearch();
    const following = await list(next);
    if (starts.length === 1 && leadsToPast(page, following)) {
      known.leadsToPast = true;
      return yield* partsOfPast(search, null, newestLength);
    }
    starts = [...starts, next];
    known.starts = starts;
    previous = page;
    page = following;
  }
  yield* partsUpTo(search, starts, null, [page, previous]);
}

/**
 * The parts from the last start to the first, up to the first message of the page after them. `read` are
 * pages that were read already, from the last one on.
 */
async function* partsUpTo(
  { known, list }: Search,
  starts: readonly PageStart[],
  following: { cursor: PageStart; id: string | undefined } | null,
  read: readonly (MessagePage | null)[] = [],
): AsyncGenerator<Part> {
  let next = following;
  for (const [index, cursor] of starts.toReversed().entries()) {
    const { items } = read[index] ?? { items: await readUpTo(next, cursor, list) };
    const [first] = items;
    if (first !== undefined) known.places.set(first.id, cursor);
    next = { cursor, id: first?.id ?? next?.id };
    yield { items, hasOlder: cursor !== null };
  }
}

async function* partsOfPast(
  { known, list }: Search,
  from: PageStart,
  newestLength?: number,
): AsyncGenerator<Part> {
  const read = new Set<PageStart>();
  for (let cursor = from, limit = newestLength; ; limit = undefined) {
    const { items, nextCursor } = await list(cursor, limit);
    read.add(cursor);
    const hasOlder = nextCursor !== null && !read.has(nextCursor);
    if (items[0] !== undefined && hasOlder) known.places.set(items[0].id, nextCursor);
    yield { items, hasOlder };
    if (!hasOlder) return;
    cursor = nextCursor;
  }
}

/** The parts before the message, or all. A message whose place is not known is searched from the end. */
async function* partsBefore(search: Search, messageId: string | null): AsyncGenerator<Part> {
  if (messageId === null) return yield* partsFromEnd(search);
  const { known } = search;
  const cursor = known.places.get(messageId);
  if (cursor !== undefined && known.leadsToPast) return yield* partsOfPast(search, cursor);
  const at = cursor === undefined ? -1 : known.starts.indexOf(cursor);
  if (cursor !== undefined && at >= 0)
    return yield* partsUpTo(search, known.starts.slice(0, at), { cursor, id: messageId });
  await search.onSearch();
  let isFound = false;
  for await (const part of partsFromEnd(search)) {
    const index = part.items.findIndex(({ id }) => id === messageId);
    if (isFound) yield part;
    else if (index > 0) yield { ...part, items: part.items.slice(0, index) };
    isFound ||= index >= 0;
  }
}

/**
 * True if the second page is older than the first. docs/chat-api.md, "Operations" says that a page runs from
 * its oldest message to its newest, but not which way `nextCursor` leads. False if a page has no known time.
 */
function leadsToPast(first: MessagePage, following: MessagePage): boolean {
  const [time, followingTime] = [timeOf(first.items), timeOf(following.items)];
  return time !== null && followingTime !== null && followingTime < time;
}

function timeOf(items: readonly Message[]): number | null {
  const time = items.find(({ createdAt }) => createdAt !== null)?.createdAt ?? null;
  return time === null ? null : Date.parse(time);
}

/**
 * Reads the messages from the cursor `from` up to known ones, whose first one's page began at `cursor` and
 * has this `id`. A page may be shorter than the last time. So two are neighbours only if the one's
 * `nextCursor` is the other's cursor, or they share a message; otherwise reads on. As many messages as the
 * longest page has reach the known ones, since both cursors began a page.
 */
async function readUpTo(
  known: { cursor: string | null; id: string | undefined } | null,
  from: string | null,
  list: (cursor: string | null) => Promise<MessagePage>,
): Promise<Message[]> {
  const items: Message[] = [];
  let cursor = from;
  // Bounded, because a faulty list may have empty pages for ever.
  for (let count = 0; count < limits.messagesPerPage.max; count += 1) {
    const page = await list(cursor);
    const at = page.items.findIndex(({ id }) => id === known?.id);
    items.push(...(at < 0 ? page.items : page.items.slice(0, at)));
    cursor = page.nextCursor;
    const isWhole = at >= 0 || items.length >= limits.messagesPerPage.max;
    if (isWhole || cursor === null || cursor === known?.cursor) break;
  }
  return items;
}
