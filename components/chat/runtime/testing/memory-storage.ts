import type { ChatStorage } from "../storage/storage.ts";

export interface MemoryStorage extends ChatStorage {
  /** Writes as another tab does: this tab only receives the event. */
  writeElsewhere(name: string, value: string | null): void;
}

/** Test storage without a browser. */
export function memoryStorage(): MemoryStorage {
  const kept = new Map<string, string>();
  const listeners = new Set<(name: string) => void>();
  const write = (name: string, value: string | null) =>
    void (value === null ? kept.delete(name) : kept.set(name, value));
  return {
    read: (name) => kept.get(name) ?? null,
    write,
    writeElsewhere(name, value) {
      write(name, value);
      for (const listener of listeners) listener(name);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isLasting: () => true,
  };
}
