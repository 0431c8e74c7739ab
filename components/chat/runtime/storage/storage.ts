/** The browser's storage, or memory where it is unavailable: private mode, blocked cookies, a full disk. */

/** `1` is the version of the stored data. A change that old readers would misread increments it. */
const root = "shop-chat:1:";

/** Removes all stored data of this owner: the next guest may be another person. */
export function clearStorage(owner: string): void {
  tryStorage(() => {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(`${root}${owner}:`));
    for (const name of names) localStorage.removeItem(name);
  });
}

/** Null if the browser's storage is full or blocked. */
export function tryStorage<T>(access: () => T): T | null {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export type ChatStorage = ReturnType<typeof createStorage>;

/** `owner` separates the data of one customer of this browser from the next one's. */
export function createStorage(owner: string, area: () => Storage = () => window.localStorage) {
  const prefix = `${root}${owner}:`;
  /**
   * Values that the browser did not store. They take precedence over the browser's; a later write that
   * succeeds removes them.
   */
  const memory = new Map<string, string | null>();

  function tryWrite(name: string, value: string | null): boolean {
    try {
      if (value === null) area().removeItem(prefix + name);
      else area().setItem(prefix + name, value);
      return true;
    } catch (error) {
      // Full (QuotaExceededError) or blocked (SecurityError).
      if (error instanceof DOMException) return false;
      throw error;
    }
  }

  return {
    read(name: string) {
      const kept = memory.get(name);
      if (kept !== undefined) return kept;
      return tryStorage(() => area().getItem(prefix + name));
    },
    /** Null removes the value. */
    write(name: string, value: string | null) {
      if (tryWrite(name, value)) memory.delete(name);
      else memory.set(name, value);
    },
    /** Calls back with the name when another tab has written. Returns a function that unsubscribes. */
    onChange(listener: (name: string) => void) {
      const onStorage = (event: StorageEvent) => {
        if (event.key?.startsWith(prefix)) listener(event.key.slice(prefix.length));
      };
      window.addEventListener("storage", onStorage);
      return () => window.removeEventListener("storage", onStorage);
    },
    /** False while there is a value that could not be stored and lasts only as long as the page. */
    isLasting: () => memory.size === 0,
  };
}

/** Storage of this tab: survives reloads until the tab closes. */
export function createTabStorage(): ChatStorage {
  return createStorage("tab", () => window.sessionStorage);
}
