import type { Browser } from "../browser/browser.ts";
import { memoryArea } from "../storage/storage.ts";

export interface MemoryBrowser extends Browser {
  /** Tells the page of an event. */
  dispatch(event: "online" | "visibility" | "return"): void;
  /** Writes an entry as another tab does: this tab only receives the event. */
  writeElsewhere(name: string, value: string | null): void;
}

/** A hidden tab of a browser without a page, for tests. Its requests get no answer. */
export function memoryBrowser(overrides: Partial<Browser> = {}): MemoryBrowser {
  const listeners = new Map<string, Set<() => void>>();
  const storing = new Set<(name: string) => void>();
  const local = overrides.local ?? memoryArea();
  const never = () => new Promise<never>(() => undefined);
  return {
    fetch: never,
    fetchWithProgress: () => overrides.fetch ?? never,
    shrinkPicture: async (file) => file,
    tab: memoryArea(),
    locks: navigator.locks,
    openChannel: (name) => new BroadcastChannel(name),
    isOnline: () => true,
    isVisible: () => false,
    on(event, listener) {
      const all = listeners.get(event) ?? new Set();
      listeners.set(event, all.add(listener));
      return () => void all.delete(listener);
    },
    onStored(listener) {
      storing.add(listener);
      return () => void storing.delete(listener);
    },
    beforeFrame(act) {
      const timer = setTimeout(act);
      return () => clearTimeout(timer);
    },
    isLoopback: false,
    ...overrides,
    local,
    dispatch(event) {
      for (const listener of [...(listeners.get(event) ?? [])]) listener();
    },
    writeElsewhere(name, value) {
      local.write(name, value);
      for (const listener of [...storing]) listener(name);
    },
  };
}
