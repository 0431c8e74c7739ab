/** Lists of messages, ordered by position and without duplicate IDs. */
import type { Message } from "../../chat-api/message.ts";

export interface ReadMessages {
  /** Oldest first, without gaps. */
  messages: readonly Message[];
  /** More earlier messages can be read. */
  hasOlder: boolean;
}

export const isIn = (all: readonly Message[], id: string | null | undefined) =>
  all.some((message) => message.id === id);

/**
 * `next` in place of `shown`. A message that did not change keeps its identity, and so does a list without
 * changes: a poll without news renders nothing again.
 */
export function renewed(next: readonly Message[], shown: readonly Message[]): readonly Message[] {
  const byId = new Map(shown.map((message) => [message.id, message]));
  const messages = [...new Map(next.map((message) => [message.id, message])).values()].map((message) => {
    const before = byId.get(message.id);
    const now = withItsForm(message, before);
    return before !== undefined && isSame(before, now) ? before : now;
  });
  const isNews = messages.length !== shown.length || messages.some((message, at) => message !== shown[at]);
  return isNews ? messages : shown;
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
