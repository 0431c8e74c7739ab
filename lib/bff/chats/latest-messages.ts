/**
 * Reads a chat's latest messages. The Chat API lists messages from the beginning and cannot start at the end
 * (docs/chat-api.md, "Operations"), so its pages must be read one after the other. The BFF, which is close to
 * the Chat API, reads them all within one request of the browser, which remembers where they begin.
 *
 * Reading stops at a limit, because a faulty list may never end: its cursors may repeat, and its length has
 * no bound.
 */
import { ChatApiError } from "../../chat-api/errors.ts";
import type { Message, MessagePage } from "../../chat-api/message.ts";
import { leadsToPast, readUpTo } from "../../chat-api/page-order.ts";
import { bffLimits } from "../configuration/limits.ts";

/** A page's cursor; null for the first page. */
type PageStart = string | null;

/** The response of `GET /api/chat/chats/{chatId}/messages/latest`. */
export interface LatestMessages extends MessagePage {
  /**
   * The cursors at which the pages of 50 begin, from the requested one on, or from the first if that one
   * leads to too few messages or is forgotten. Empty for a list whose next pages contain older messages:
   * then `nextCursor` is the cursor of the messages before the items.
   */
  starts: PageStart[];
  /** Index of the first item's page in `starts`. */
  first: number;
  /**
   * If `starts` is not empty: null if the items are the chat's latest; otherwise the limit of time or pages
   * was reached, or a page failed for now, and there are no items: request again with this cursor.
   */
  nextCursor: string | null;
}

export interface LatestQuery {
  /** A page start that the caller knows. The later it is, the fewer pages are read. */
  cursor: PageStart;
  /** Reads one page of 50. */
  list(cursor: PageStart): Promise<MessagePage>;
  now?: () => number;
}

/** @throws ChatApiError from `list` */
export async function readLatestMessages(query: LatestQuery): Promise<LatestMessages> {
  const { cursor } = query;
  if (cursor === null) return follow(query, null);
  try {
    const latest = await follow(query, cursor);
    if (latest.nextCursor !== null || latest.items.length >= bffLimits.latestMessages) return latest;
    // A list of short pages: those before the cursor are needed to fill a screen.
    const whole = await follow(query, null);
    return isUnfinished(whole) ? latest : whole;
  } catch (error) {
    if (!(error instanceof ChatApiError && error.rule.ends === "cursor")) throw error;
    // The Chat API has forgotten the cursor.
    return follow(query, null);
  }
}

async function follow(
  { list, now = () => performance.now() }: LatestQuery,
  from: PageStart,
): Promise<LatestMessages> {
  const until = now() + bffLimits.latestMessagesTime;
  const starts = [from];
  let page = await list(from);
  /** The last pages, enough to fill a screen. */
  let read: readonly (readonly Message[])[] = [page.items];
  while (page.nextCursor !== null && !starts.includes(page.nextCursor)) {
    const next = page.nextCursor;
    const unfinished = { items: [], starts, first: starts.length, nextCursor: next };
    if (now() > until || starts.length > bffLimits.latestMessagesPages) return unfinished;
    let following: MessagePage;
    try {
      following = await list(next);
    } catch (error) {
      // The caller continues here, because a chat may have more pages than the Chat API's limit allows.
      const isTemporary = error instanceof ChatApiError && error.rule.retry === "after_delay";
      if (isTemporary && starts.length > 1) return unfinished;
      throw error;
    }
    if (starts.length === 1 && from === null && leadsToPast(page, following))
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
  while (countOf(read) < bffLimits.latestMessages && read.length < starts.length) {
    const first = starts.length - read.length;
    const known = { cursor: starts[first] ?? null, id: read.flat()[0]?.id };
    read = [await readUpTo(known, starts[first - 1] ?? null, list), ...read];
  }
  return { items: read.flat(), starts, first: starts.length - read.length, nextCursor: null };
}

const isUnfinished = ({ starts, nextCursor }: LatestMessages) => starts.length > 0 && nextCursor !== null;
const countOf = (pages: readonly (readonly Message[])[]) => pages.flat().length;
