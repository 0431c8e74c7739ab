/** The browser's storage for this page, or memory where there is none: private modes, blocked cookies, a full disk. */

/** `1` is the version of what is stored; a change that old readers would misread takes the next number. */
const root = "shop-chat:1:";

export interface ChatStorage {
  read(name: string): string | null;
  /** Null removes. */
  write(name: string, value: string | null): void;
  /** Calls back with the name when another tab has written. Returns how to stop. */
  onChange(listener: (name: string) => void): () => void;
  /** False once something could not be stored: it lives as long as the page. */
  isLasting(): boolean;
}

/** `owner` keeps what belongs to one customer of this browser apart from what belongs to the next. */
export function createStorage(owner: string, area: () => Storage = () => window.localStorage): ChatStorage {
  const prefix = `${root}${owner}:`;
  /** What the browser did not take. Read before the browser's; emptied by a later write that succeeds. */
  const memory = new Map<string, string | null>();

  function tryWrite(name: string, value: string | null): boolean {
    try {
      if (value === null) area().removeItem(prefix + name);
      else area().setItem(prefix + name, value);
      return true;
    } catch (error) {
      // Full (QuotaExceededError) or not allowed (SecurityError).
      if (error instanceof DOMException) return false;
      throw error;
    }
  }

  return {
    read(name) {
      const kept = memory.get(name);
      if (kept !== undefined) return kept;
      try {
        return area().getItem(prefix + name);
      } catch (error) {
        if (error instanceof DOMException) return null;
        throw error;
      }
    },
    write(name, value) {
      if (tryWrite(name, value)) memory.delete(name);
      else memory.set(name, value);
    },
    onChange(listener) {
      const onStorage = (event: StorageEvent) => {
        if (event.key?.startsWith(prefix)) listener(event.key.slice(prefix.length));
      };
      window.addEventListener("storage", onStorage);
      return () => window.removeEventListener("storage", onStorage);
    },
    isLasting: () => memory.size === 0,
  };
}
