/**
 * Reads a chat's latest messages. The Chat API lists messages from the beginning and cannot start at the end
 * (docs/chat-api.md, "Operations"), so its pages must be read one after the other. The BFF, which is close to
 * the Chat API, reads them all within one request of the browser, and remembers where they begin for later
 * requests.
 *
 * Reading stops at a limit, because a faulty list may never end: its cursors may repeat, and its length has
 * no bound.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import type { Message, MessagePage } from "../../chat-api/message.ts";
import { leadsToPast, readUpTo } from "../../chat-api/page-order.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { PageStart, PageStarts } from "./page-starts.ts";

/** The response of `GET /api/chat/chats/{chatId}/messages/latest`. */
export interface LatestMessages extends MessagePage {
  /**
   * The cursors at which the pages of 50 begin, from the requested one on, or from the first if the BFF does
   * not know the requested one. Empty for a list whose next pages contain older messages: then `nextCursor`
   * is the cursor of the messages before the items.
   */
  starts: PageStart[];
  /** Index of the first item's page in `starts`. */
  first: number;
  /**
   * If `starts` is not empty: null if the items are the chat's latest; otherwise the limit of time or pages
   * was reached and there are no items: request again with this cursor.
   */
  nextCursor: string | null;
}

export interface LatestQuery {
  chatId: string;
  /** A page start that the caller knows. The later it is, the fewer pages are read. */
  cursor: PageStart;
  /** Reads one page of 50. */
  list(cursor: PageStart): Promise<MessagePage>;
  pageStarts: PageStarts;
  now?: () => number;
}

/** @throws ChatApiError from `list`. The cursors found until then are remembered. */
export async function readLatestMessages(query: LatestQuery): Promise<LatestMessages> {
  const known = query.pageStarts.of(query.chatId);
  const from = known.length === 0 ? [query.cursor] : known;
  try {
    return await follow(query, from);
  } catch (error) {
    const isStale = error instanceof ChatApiError && error.rule.ends === "cursor";
    if (!isStale || (from[0] === null && from.length === 1)) throw error;
    // The Chat API has forgotten a remembered cursor, so start from the beginning.
    query.pageStarts.forget(query.chatId);
    return follow(query, [null]);
  }
}

async function follow(query: LatestQuery, from: readonly PageStart[]): Promise<LatestMessages> {
  const { list, now = () => performance.now() } = query;
  const until = now() + bffLimits.latestMessagesTime;
  const starts = [...from];
  /** The caller knows those before. All, if it knows one that is not remembered. */
  const requested = Math.max(0, starts.indexOf(query.cursor));
  let page = await list(starts.at(-1) ?? null);
  /** The last pages, enough to fill a screen. */
  let read: readonly (readonly Message[])[] = [page.items];
  try {
    while (page.nextCursor !== null && !starts.includes(page.nextCursor)) {
      const next = page.nextCursor;
      if (now() > until || starts.length - from.length >= bffLimits.latestMessagesPages)
        return {
          items: [],
          starts: starts.slice(requested),
          first: starts.length - requested,
          nextCursor: next,
        };
      const following = await list(next);
      if (starts.length === 1 && starts[0] === null && leadsToPast(page, following))
        return {
          items: [...following.items, ...page.items],
          starts: [],
          first: 0,
          nextCursor: following.nextCursor,
        };
      starts.push(next);
      read = [...read, following.items];
      while (countOf(read.slice(1)) >= bffLimits.latestMessages) read = read.slice(1);
      page = following;
    }
  } finally {
    remember(query, starts);
  }
  while (countOf(read) < bffLimits.latestMessages && read.length < starts.length) {
    const first = starts.length - read.length;
    const known = { cursor: starts[first] ?? null, id: read.flat()[0]?.id };
    read = [await readUpTo(known, starts[first - 1] ?? null, list), ...read];
  }
  const first = starts.length - read.length;
  const skipped = Math.min(requested, first);
  return { items: read.flat(), starts: starts.slice(skipped), first: first - skipped, nextCursor: null };
}

const countOf = (pages: readonly (readonly Message[])[]) => pages.flat().length;

/**
 * Remembers page starts that were reached from the first page. Only the caller vouches for the others, so no
 * other request may use them.
 */
function remember({ chatId, pageStarts }: LatestQuery, starts: readonly PageStart[]): void {
  const before = pageStarts.of(chatId);
  const at = before.indexOf(starts[0] ?? null);
  if (starts[0] === null) pageStarts.keep(chatId, starts);
  else if (at >= 0) pageStarts.keep(chatId, [...before.slice(0, at), ...starts]);
}
