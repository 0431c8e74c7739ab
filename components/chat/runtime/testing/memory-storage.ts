import type { ChatStorage } from "../storage.ts";

/** For tests: what the chat keeps, without a browser. */
export function memoryStorage(): ChatStorage {
  const kept = new Map<string, string>();
  return {
    read: (name) => kept.get(name) ?? null,
    write: (name, value) => void (value === null ? kept.delete(name) : kept.set(name, value)),
    onChange: () => () => undefined,
    isLasting: () => true,
  };
}
