/** Joins pages of messages into one list, ordered by position and without duplicate IDs. */
import type { Message } from "../../chat-api/message.ts";

/**
 * Known messages are replaced, and take the page's order: a repeated request may have read an earlier message
 * after a later one. Unknown ones keep their position relative to the known ones of the page; if the page has
 * no known one, they go to the given end of the list. A message that did not change keeps its identity, so
 * that a poll without news renders nothing again.
 */
export function mergeMessages(
  current: readonly Message[],
  read: readonly Message[],
  end: "newest" | "oldest",
): readonly Message[] {
  const byId = new Map(current.map((message) => [message.id, message]));
  const inPage = new Map<string, Message>();
  for (const message of read) {
    const before = byId.get(message.id);
    const now = withItsForm(message, before);
    inPage.set(message.id, before !== undefined && isSame(before, now) ? before : now);
  }
  /** The unknown messages before the first known one; then each known one with the unknown ones after it. */
  const runs: Message[][] = [[]];
  for (const message of inPage.values()) {
    if (byId.has(message.id)) runs.push([message]);
    else runs.at(-1)?.push(message);
  }
  const [before = [], first, ...others] = runs;
  const inOrder = [[...before, ...(first ?? [])], ...others].values();
  const merged =
    first !== undefined
      ? current.flatMap((message) => (inPage.has(message.id) ? (inOrder.next().value ?? []) : [message]))
      : end === "newest"
        ? [...current, ...before]
        : [...before, ...current];
  const isNews = merged.length > current.length || merged.some((message, at) => message !== current[at]);
  return isNews ? merged : current;
}

/**
 * The messages of `now` that were unknown before, in any position: a teammate's may be stored before the
 * customer's own and read after it. With `hadOlder`, unknown messages above the first known one are left out:
 * they belong to an earlier page.
 */
export function newMessages(
  before: readonly Message[],
  now: readonly Message[],
  hadOlder: boolean,
): readonly Message[] {
  if (before === now) return [];
  const idsBefore = new Set(before.map(({ id }) => id));
  const first = hadOlder ? now.findIndex(({ id }) => idsBefore.has(id)) : 0;
  return now.slice(Math.max(0, first)).filter(({ id }) => !idsBefore.has(id));
}

/**
 * A channel may remove an answered form from its message, but the chat still shows the form's outcome there.
 */
function withItsForm(read: Message, before: Message | undefined): Message {
  return before?.collection?.request && !read.collection?.request
    ? { ...read, collection: before.collection }
    : read;
}

function isSame(before: Message, read: Message): boolean {
  return before === read || JSON.stringify(before) === JSON.stringify(read);
}
