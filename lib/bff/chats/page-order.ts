/** The order of a list's pages. */
import { limits } from "../../chat-api/limits.ts";
import type { Message, MessagePage } from "../../chat-api/message.ts";

/**
 * True if the second page is older than the first. docs/chat-api.md, "Operations" says that a page runs from
 * its oldest message to its newest, but not which way `nextCursor` leads. False if a page has no known time.
 */
export function leadsToPast(first: MessagePage, following: MessagePage): boolean {
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
export async function readUpTo(
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
