import type { ChatStorage } from "../storage/storage.ts";

export interface MemoryStorage extends ChatStorage {
  /** Writes as another tab does: this tab only receives the event. */
  writeElsewhere(name: string, value: string | null): void;
}

/** Test storage without a browser. `onWrite` receives each write of this tab. */
export function memoryStorage(
  onWrite: (name: string, value: string | null) => void = () => undefined,
): MemoryStorage {
  const entries = new Map<string, string>();
  const listeners = new Set<(name: string) => void>();
  const set = (name: string, value: string | null) =>
    void (value === null ? entries.delete(name) : entries.set(name, value));
  return {
    read: (name) => entries.get(name) ?? null,
    write(name, value) {
      set(name, value);
      onWrite(name, value);
    },
    names: (start) => [...entries.keys()].filter((name) => name.startsWith(start)),
    writeElsewhere(name, value) {
      set(name, value);
      for (const listener of listeners) listener(name);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isLasting: () => true,
  };
}

/**
 * The storage of one browser as its tabs see it. As in Chromium, a write shows at once in its own tab and
 * late in the others: when `deliver` is called. The last write of an entry wins in all tabs.
 */
export function browserTabs(count: number): { tabs: readonly MemoryStorage[]; deliver(): void } {
  let writes: { name: string; value: string | null }[] = [];
  const tabs = Array.from({ length: count }, () =>
    memoryStorage((name, value) => void writes.push({ name, value })),
  );
  return {
    tabs,
    deliver() {
      const due = writes;
      writes = [];
      for (const { name, value } of due) for (const tab of tabs) tab.writeElsewhere(name, value);
    },
  };
}
