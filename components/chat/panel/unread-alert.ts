/** Alerts about unread messages, for a customer who looks elsewhere. */

const prefixOf = (news: string) => `(${news}) `;

/** The page's title with the unread count before it, once. */
export function titleWith(news: string, title: string): string {
  return title.startsWith(prefixOf(news)) ? title : prefixOf(news) + title;
}

/** The page's title without the unread count, whichever script has set it since. */
export function titleWithout(news: string, title: string): string {
  return title.startsWith(prefixOf(news)) ? title.slice(prefixOf(news).length) : title;
}

/**
 * The newest message for which there was no alert yet; undefined if there is none. It is not always the last
 * one: it may have arrived above others.
 */
export function newestUnalerted<Message extends { id: string }>(
  unread: readonly Message[],
  alerted: ReadonlySet<string>,
): Message | undefined {
  return unread.findLast(({ id }) => !alerted.has(id));
}
