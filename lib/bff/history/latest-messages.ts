/**
 * A chat's latest messages. The API lists from the beginning and knows no way to ask for the end (specification, "List
 * messages"), so somebody has to follow its pages. Here that costs one short way for each page, and the browser one
 * request; and where the pages begin is remembered for whoever opens the chat next.
 *
 * Nothing here trusts the list to end: not its cursors, which may come again, nor its length.
 */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { MessagePage } from "#lib/chat-api/message.ts";
import { leadsToPast } from "#lib/chat-api/page-order.ts";
import { bffLimits } from "../limits.ts";
import type { PageStart, PageStarts } from "./page-starts.ts";

/** The answer of `GET /api/chats/{chatId}/messages/latest`. */
export interface LatestMessages extends MessagePage {
  /**
   * Where the pages of 50 begin, the asked cursor's first. Empty for a list whose pages lead to the past: there
   * `nextCursor` is that of the page before the items.
   */
  starts: PageStart[];
  /** Which of `starts` the items begin at. */
  first: number;
  /** Null at the end. Else time ran out, and there are no items: ask again with it as the cursor. */
  nextCursor: string | null;
}

export interface LatestQuery {
  chatId: string;
  /** Where a page begins, if the caller knows one: the later, the shorter the way. */
  cursor: PageStart;
  /** One page of 50. */
  list(cursor: PageStart): Promise<MessagePage>;
  known: PageStarts;
  now?: () => number;
}

/** @throws ChatApiError what `list` throws; the way so far is remembered. */
export async function readLatestMessages(query: LatestQuery): Promise<LatestMessages> {
  const from = whereToBegin(query);
  try {
    return await follow(query, from);
  } catch (error) {
    const isStale =
      error instanceof ChatApiError && (error.code === "cursor_expired" || error.code === "invalid_cursor");
    if (!isStale || (from[0] === null && from.length === 1)) throw error;
    // The Chat API has forgotten a cursor that was kept: the way from the beginning is always open.
    query.known.forget(query.chatId);
    return follow(query, [null]);
  }
}

/** The known pages from the asked one on; all of them where the asked one is not among them. */
function whereToBegin({ chatId, cursor, known }: LatestQuery): readonly PageStart[] {
  const starts = known.of(chatId);
  if (starts.length === 0) return [cursor];
  return starts.slice(Math.max(0, starts.indexOf(cursor)));
}

async function follow(query: LatestQuery, from: readonly PageStart[]): Promise<LatestMessages> {
  const { list, now = () => performance.now() } = query;
  const until = now() + bffLimits.latestMessagesTime;
  const starts = [...from];
  let page = await list(starts.at(-1) ?? null);
  let before: MessagePage | undefined;
  try {
    while (page.nextCursor !== null && !starts.includes(page.nextCursor)) {
      const next = page.nextCursor;
      if (now() > until || starts.length - from.length >= bffLimits.latestMessagesPages)
        return { items: [], starts, first: starts.length, nextCursor: next };
      const following = await list(next);
      if (starts.length === 1 && starts[0] === null && leadsToPast(page, following)) {
        return {
          items: [...following.items, ...page.items],
          starts: [],
          first: 0,
          nextCursor: following.nextCursor,
        };
      }
      starts.push(next);
      before = page;
      page = following;
    }
  } finally {
    remember(query, starts);
  }
  if (page.items.length >= bffLimits.latestMessages || starts.length === 1) {
    return { items: page.items, starts, first: starts.length - 1, nextCursor: null };
  }
  before ??= await list(starts.at(-2) ?? null);
  return { items: [...before.items, ...page.items], starts, first: starts.length - 2, nextCursor: null };
}

/** What is known from the list's first page on can be used by everybody; a caller's own later start cannot. */
function remember({ chatId, known }: LatestQuery, starts: readonly PageStart[]): void {
  const before = known.of(chatId);
  const at = before.indexOf(starts[0] ?? null);
  if (starts[0] === null) known.keep(chatId, starts);
  else if (at >= 0) known.keep(chatId, [...before.slice(0, at), ...starts]);
}
