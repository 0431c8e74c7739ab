import { expect } from "vitest";
import type { Browser, BrowserEvent } from "../browser/browser.ts";
import { memoryArea } from "../storage/storage.ts";

export interface MemoryBrowser extends Browser {
  /** Tells the page of an event. */
  dispatch(event: BrowserEvent): void;
  /** Writes an entry as another tab does: this tab only receives the event. */
  writeElsewhere(name: string, value: string | null): void;
}

/** Test files run in one process, which shares its channels and locks: these are the test's own. */
function ownLocks(prefix: string): Pick<LockManager, "request"> {
  const request = navigator.locks.request.bind(navigator.locks) as (...args: unknown[]) => Promise<unknown>;
  return { request: (name: string, ...rest: unknown[]) => request(prefix + name, ...rest) } as LockManager;
}

/** A hidden tab of the test's browser, without a page. Its requests get no answer. */
export function memoryBrowser(overrides: Partial<Browser> = {}): MemoryBrowser {
  const listeners = new Map<string, Set<() => void>>();
  const storing = new Set<(name: string) => void>();
  const { testPath, currentTestName } = expect.getState();
  const prefix = `${testPath} ${currentTestName} `;
  const local = overrides.local ?? memoryArea();
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
