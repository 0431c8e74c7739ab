/**
 * The browser's storage, or memory where it is unavailable: private mode, blocked cookies, a full disk. The
 * entries are listed in `../README.md`.
 */

/** `1` is the version of the stored data. A change that old readers would misread increments it. */
const root = "shop-chat:1:";

/** An area of the browser's storage. */
interface Area {
  open(): Storage;
  /**
   * Values that the browser did not store, by full name, for as long as the page lives. They take precedence
   * over the browser's; a later write that succeeds removes them.
   */
  unstored: Map<string, string | null>;
}

const areaOf = (open: () => Storage): Area => ({ open, unstored: new Map() });

const local = areaOf(() => window.localStorage);

/** Null if the browser's storage is full or blocked. */
export function tryStorage<T>(access: () => T): T | null {
  try {
    return access();
  } catch (error) {
    // QuotaExceededError or SecurityError.
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function namesIn({ open, unstored }: Area, start: string): string[] {
  const names = new Set(tryStorage(() => Object.keys(open())));
  for (const [name, value] of unstored) {
    if (value === null) names.delete(name);
    else names.add(name);
  }
  return [...names].filter((name) => name.startsWith(start));
}

function write({ open, unstored }: Area, name: string, value: string | null): void {
  const stored = tryStorage(() => {
    if (value === null) open().removeItem(name);
    else open().setItem(name, value);
    return true;
  });
  if (stored === true) unstored.delete(name);
  else unstored.set(name, value);
}

/** Removes all stored data of this owner: the next guest may be another person. */
export function clearStorage(owner: string): void {
  for (const name of namesIn(local, `${root}${owner}:`)) write(local, name, null);
}

/**
 * Gives stored data another owner's name. Data that is already stored under it stays, unless the former
 * owner's is the later.
 */
export function renameOwner(former: string, owner: string, { isLater = false } = {}): void {
  const [from, to] = [createStorage(former), createStorage(owner)];
  for (const name of from.names("")) {
    if (isLater || to.read(name) === null) to.write(name, from.read(name));
    from.write(name, null);
  }
}

/** Removes what customers other than this owner have typed and not sent: they have signed out. */
export function clearDraftsOfOthers(owner: string): void {
  for (const name of namesIn(local, root)) {
    const [of = "", entry] = name.slice(root.length).split(":");
    if (of !== owner && entry === "draft") write(local, name, null);
  }
}

export type ChatStorage = ReturnType<typeof createStorage>;

/**
 * `owner` separates the data of one customer of this browser from the next one's. Storages of the same owner
 * share their data, also what the browser did not store.
 */
export function createStorage(owner: string, area: Area = local) {
  const prefix = `${root}${owner}:`;
  return {
    read(name: string) {
      const unstored = area.unstored.get(prefix + name);
      if (unstored !== undefined) return unstored;
      return tryStorage(() => area.open().getItem(prefix + name));
    },
    /** Null removes the value. */
    write: (name: string, value: string | null) => write(area, prefix + name, value),
    /** The names of the entries that begin like this. */
    names: (start: string) => namesIn(area, prefix + start).map((name) => name.slice(prefix.length)),
    /** Calls back with the name when another tab has written. Returns a function that unsubscribes. */
    onChange(listener: (name: string) => void) {
      const onStorage = (event: StorageEvent) => {
        if (event.key?.startsWith(prefix)) listener(event.key.slice(prefix.length));
      };
      window.addEventListener("storage", onStorage);
      return () => window.removeEventListener("storage", onStorage);
    },
    /** False while there is a value that could not be stored and lasts only as long as the page. */
    isLasting: () => ![...area.unstored.keys()].some((name) => name.startsWith(prefix)),
  };
}

/** Storage of this tab: survives reloads until the tab closes. */
export const tabStorage: ChatStorage = createStorage(
  "tab",
  areaOf(() => window.sessionStorage),
);
