/** Which way a list's pages lead. Free of zod, so that browser code may import it. */
import type { Message, MessagePage } from "./message.ts";

/**
 * The specification ("List messages") says that a page runs from its oldest message to its newest, and leaves open which
 * way `nextCursor` leads. True where the page after the first is the older one. Unknown times decide nothing.
 */
export function leadsToPast(first: MessagePage, following: MessagePage): boolean {
  const [time, followingTime] = [timeOf(first.items), timeOf(following.items)];
  return time !== null && followingTime !== null && followingTime < time;
}

function timeOf(items: readonly Message[]): number | null {
  const known = items.find(({ createdAt }) => createdAt !== null)?.createdAt ?? null;
  return known === null ? null : Date.parse(known);
}
