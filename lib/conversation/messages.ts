/** Joining pages of messages into one list: by ID, ordered by position, never twice. */
import type { Message } from "#lib/chat-api/message.ts";

/**
 * Known messages are replaced where they stand; unknown ones follow the message before them in the page, or stand at
 * the given end of the list when the page begins with unknown ones. A message that did not change keeps its identity,
 * so that a poll without news draws nothing again.
 */
export function mergeMessages(
  current: readonly Message[],
  page: readonly Message[],
  end: "newest" | "oldest",
): readonly Message[] {
  const known = new Map(current.map((message) => [message.id, message]));
  const isNews = page.some((message) => !isSame(known.get(message.id), message));
  if (!isNews) return current;

  const inPage = new Map(page.map((message) => [message.id, message]));
  const kept = current.map((message) => {
    const read = inPage.get(message.id);
    return read === undefined || isSame(message, read) ? message : read;
  });
  const runs = runsOfUnknown(page, known);
  const before = runs.get(null) ?? [];
  const merged = kept.flatMap((message) => [message, ...(runs.get(message.id) ?? [])]);
  const firstKnown = page.find(({ id }) => known.has(id));
  if (firstKnown === undefined) return end === "newest" ? [...merged, ...before] : [...before, ...merged];
  const at = merged.findIndex(({ id }) => id === firstKnown.id);
  return merged.toSpliced(at, 0, ...before);
}

/** What follows the last message that was known before, whatever has changed in that one since. */
export function messagesSince(before: readonly Message[], now: readonly Message[]): readonly Message[] {
  if (before === now) return [];
  const known = new Set(before.map(({ id }) => id));
  return now.slice(now.findLastIndex(({ id }) => known.has(id)) + 1);
}

/** The page's unknown messages by the known message that they follow; null for those before any known one. */
function runsOfUnknown(
  page: readonly Message[],
  known: ReadonlyMap<string, Message>,
): Map<string | null, Message[]> {
  const runs = new Map<string | null, Message[]>();
  const taken = new Set<string>();
  let after: string | null = null;
  for (const message of page) {
    if (known.has(message.id)) after = message.id;
    else if (!taken.has(message.id)) {
      taken.add(message.id);
      runs.set(after, [...(runs.get(after) ?? []), message]);
    }
  }
  return runs;
}

function isSame(known: Message | undefined, read: Message): boolean {
  return known !== undefined && (known === read || JSON.stringify(known) === JSON.stringify(read));
}
