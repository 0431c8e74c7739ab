/**
 * The browser's storage, or memory where it is unavailable: private mode, blocked cookies, a full disk. The
 * entries are listed in `../storage-names.ts`.
 */
import type { Browser, StorageArea } from "../browser/browser.ts";
import { draftName, entryRoot, ownerName, tabOwner } from "../storage-names.ts";

/** Entries of one owner, or of this tab. */
export interface ChatStorage {
  read(name: string): string | null;
  /** Null removes the value. */
  write(name: string, value: string | null): void;
  /** The names of the entries that begin like this. */
  names(start: string): string[];
  /** Calls back with the name when another tab has written. Returns a function that unsubscribes. */
  onChange(listener: (name: string) => void): () => void;
  /** False while there is a value that could not be stored and lasts only as long as the page. */
  isLasting(): boolean;
}

export type Storages = ReturnType<typeof createStorages>;

/**
 * The storage of a page's chat. It has one memory for what the browser does not store. After the signal
 * nothing is written.
 */
export function createStorages(
  browser: Pick<Browser, "local" | "tab" | "onStored">,
  api: string,
  signal?: AbortSignal,
) {
  const root = entryRoot(api);
  const ownerEntry = root + ownerName;
  const local = withMemory(browser.local, signal);
  const tab = withMemory(browser.tab, signal);

  function entries(area: ReturnType<typeof withMemory>, owner: string): ChatStorage {
    const prefix = `${root}${owner}:`;
    return {
      read: (name) => area.read(prefix + name),
      write: (name, value) => area.write(prefix + name, value),
      names: (start) => area.names(prefix + start).map((name) => name.slice(prefix.length)),
      onChange: (listener) =>
        browser.onStored((name) => {
          if (name.startsWith(prefix)) listener(name.slice(prefix.length));
        }),
      isLasting: () => area.isLasting(prefix),
    };
  }

  return {
    /**
     * `owner` separates the data of one customer of this browser from the next one's. Storages of the same
     * owner share their data.
     */
    of: (owner: string) => entries(local, owner),
    /** Storage of this tab: survives reloads until the tab closes. */
    tab: entries(tab, tabOwner),
    /** The last known owner; null if there is none. */
    owner: () => local.read(ownerEntry),
    setOwner: (owner: string) => local.write(ownerEntry, owner),
    /** Calls back when another tab has stored an owner, or removed it. */
    onOwner: (listener: () => void) =>
      browser.onStored((name) => {
        local.changed(name);
        if (name === ownerEntry) listener();
      }),
    /**
     * Gives stored data another owner's name. Data that is already stored under it stays, unless the former
     * owner's is the later.
     */
    rename(former: string, owner: string, { isLater = false } = {}) {
      const [from, to] = [entries(local, former), entries(local, owner)];
      // Other tabs see one write after the other: of a message, never the `message:` without its `attempt:`.
      const names = from.names("").sort();
      for (const name of names) if (isLater || to.read(name) === null) to.write(name, from.read(name));
      for (const name of names.reverse()) from.write(name, null);
    },
    /** Removes what customers other than this owner have typed and not sent: they have signed out. */
    clearDraftsOfOthers(owner: string) {
      for (const name of local.names(root)) {
        const [of = "", entry] = name.slice(root.length).split(":");
        if (of !== owner && `${entry}:` === draftName("")) local.write(name, null);
      }
    },
  };
}

function withMemory(stored: StorageArea, signal: AbortSignal | undefined) {
  /**
   * Values that this page has written, by full name. A value that the browser refused takes precedence over
   * the browser's until a later write, here or in another tab. The others replace what the browser has lost:
   * the customer, or the page at a sign-out, may clear its storage while a message waits.
   */
  const written = new Map<string, { value: string | null; isStored: true | null }>();
  function read(name: string): string | null {
    const own = written.get(name);
    const value = own?.isStored === null ? null : tryStorage(() => stored.read(name));
    return value ?? own?.value ?? null;
  }

  return {
    read,
    write(name: string, value: string | null) {
      if (signal?.aborted) return;
      const isStored = tryStorage(() => {
        stored.write(name, value);
        return true as const;
      });
      if (isStored && value === null) written.delete(name);
      else written.set(name, { value, isStored });
    },
    names: (start: string) =>
      [...new Set([...written.keys(), ...(tryStorage(() => stored.names()) ?? [])])].filter(
        (name) => name.startsWith(start) && read(name) !== null,
      ),
    /** Another tab has changed the entry, or removed it. */
    changed: (name: string) => written.delete(name),
    isLasting: (start: string) =>
      [...written].every(([name, { isStored }]) => isStored || !name.startsWith(start)),
  };
}

/** Storage that lasts as long as the page. */
export function memoryArea(): StorageArea {
  const values = new Map<string, string>();
  return {
    read: (name) => values.get(name) ?? null,
    write: (name, value) => void (value === null ? values.delete(name) : values.set(name, value)),
    names: () => [...values.keys()],
  };
}

/** Null if the storage is full or blocked. A host's own storage may throw anything. */
function tryStorage<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
