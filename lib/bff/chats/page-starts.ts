/**
 * Remembers where the pages of chats begin, so that the end of a long chat takes one read. This is a cache: a
 * chat that it dropped is read again from its beginning. The pipeline checks ownership first, so customers
 * only reach the entries of their own chats.
 */
import { LRUCache } from "lru-cache";
import { bffLimits } from "../configuration/limits.ts";

/** A page's cursor; null for the first page. */
export type PageStart = string | null;

export type PageStarts = ReturnType<typeof createPageStarts>;

export function createPageStarts() {
  const cache = new LRUCache<string, readonly PageStart[]>({
    maxSize: bffLimits.rememberedPageStarts,
    sizeCalculation: (starts) => starts.reduce((size, start) => size + (start?.length ?? 1), 0),
  });
  return {
    /** The cursors from the first page on, in order; empty if nothing is known. */
    of: (chatId: string) => cache.get(chatId) ?? [],
    /** Replaces the known cursors, unless more are known. */
    keep(chatId: string, starts: readonly PageStart[]) {
      if (starts.length > (cache.peek(chatId)?.length ?? 1)) cache.set(chatId, [...starts]);
    },
    forget: (chatId: string) => void cache.delete(chatId),
  };
}
