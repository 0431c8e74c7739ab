/** The order of a list's pages. Free of zod, so that browser code may import it. */
import type { Message, MessagePage } from "./message.ts";

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
