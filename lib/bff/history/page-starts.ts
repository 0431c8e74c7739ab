/**
 * Where the pages of chats begin, as far as this process has seen: with it a chat's end is one page away, however long
 * the chat is. A memory and no store: what is forgotten is read again, and a customer finds it in every chat of theirs
 * only, since ownership has been checked before anyone asks.
 */
import { LRUCache } from "lru-cache";
import { bffLimits } from "../limits.ts";

/** The cursor of a page; null is the list's first. */
export type PageStart = string | null;

export interface PageStarts {
  /** From the list's first page on, in its order; empty where nothing is known. */
  of(chatId: string): readonly PageStart[];
  /** Takes the place of what is known, unless more is known. */
  keep(chatId: string, starts: readonly PageStart[]): void;
  forget(chatId: string): void;
}

export function createPageStarts(): PageStarts {
  const known = new LRUCache<string, readonly PageStart[]>({
    maxSize: bffLimits.rememberedPageStarts,
    sizeCalculation: (starts) => starts.reduce((size, start) => size + (start?.length ?? 1), 0),
  });
  return {
    of: (chatId) => known.get(chatId) ?? [],
    keep(chatId, starts) {
      if (starts.length > (known.peek(chatId)?.length ?? 1)) known.set(chatId, [...starts]);
    },
    forget: (chatId) => void known.delete(chatId),
  };
}
