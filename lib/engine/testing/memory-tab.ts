import type { Browser, BrowserEvent, StorageArea } from "../browser/browser.ts";
import { memoryArea } from "../storage/storage.ts";

export interface MemoryBrowser extends Browser {
  /** Tells the page of an event. */
  dispatch(event: BrowserEvent): void;
  /** Writes an entry as another tab does: this tab only receives the event. */
  writeElsewhere(name: string, value: string | null): void;
}

/** Test files run in one process, which shares its channels and locks: these are one browser's. */
function ownLocks(prefix: string): Pick<LockManager, "request"> | undefined {
  // Node 22 has none.
  if (navigator.locks === undefined) return undefined;
  const request = navigator.locks.request.bind(navigator.locks) as (...args: unknown[]) => Promise<unknown>;
  return { request: (name: string, ...rest: unknown[]) => request(prefix + name, ...rest) } as LockManager;
}

const prefixes = new WeakMap<StorageArea, string>();

/**
 * A hidden tab of a browser in memory, without a page, for tests. Its requests get no answer without `fetch`.
 * Tabs of one browser have the same name; without one, those with the same `local`.
 */
export function memoryTab(overrides: Partial<Browser>, name?: string): MemoryBrowser {
  const listeners = new Map<string, Set<() => void>>();
  const storing = new Set<(name: string) => void>();
  const local = overrides.local ?? memoryArea();
  const prefix = name ?? prefixes.get(local) ?? `${crypto.randomUUID()} `;
  prefixes.set(local, prefix);
  const never = () => new Promise<never>(() => undefined);
  return {
    fetch: never,
    fetchWithProgress: () => overrides.fetch ?? never,
    shrinkPicture: async (file) => file,
    tab: memoryArea(),
    locks: ownLocks(prefix),
    openChannel: (name) => new BroadcastChannel(prefix + name),
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
    isOwnOrigin: (address) => address.startsWith("/"),
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
