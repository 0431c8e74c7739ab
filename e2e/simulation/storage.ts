/**
 * The storage that a browser's pages share. Each page has its copy: it sees its own writes at once
 * and another page's when they arrive, with their event. The later write of an entry wins everywhere.
 */
import type { StorageArea } from "#lib/engine/browser/browser.ts";
import { type Actor, newLane, type PageScheduler } from "./scheduler.ts";

interface Version {
  value: string | null;
  order: number;
}

export interface StorageOptions {
  scheduler: PageScheduler;
  /** Milliseconds until another page sees a write. */
  delay(): number;
  /** A page was refused a read or write. */
  onRefused(): void;
}

export interface PageStorage extends StorageArea {
  /** Another page's write has arrived. */
  onEvent(listener: (name: string) => void): () => void;
  /** The page has been in the back/forward cache, where it was told nothing. */
  catchUp(): void;
}

export type StorageState = "usual" | "full" | "blocked";

export function createSharedStorage({ scheduler, delay, onRefused }: StorageOptions) {
  const central = new Map<string, Version>();
  const pages = new Set<(name: string, version: Version) => void>();
  let order = 0;
  let state: StorageState = "usual";
  /** Names of entries that were stored again after their removal. */
  const restored: string[] = [];

  function write(name: string, value: string | null): Version {
    order += 1;
    if (value !== null && central.get(name)?.value === null) restored.push(name);
    const version = { value, order };
    central.set(name, version);
    return version;
  }

  function require(isWrite: boolean): void {
    if (state === "usual" || (state === "full" && !isWrite)) return;
    onRefused();
    // A host's own storage may throw anything.
    if (state === "blocked") throw new TypeError("Access is denied.");
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  }

  function open(actor: Actor, onWrite: () => void): PageStorage {
    const own = new Map(central);
    const listeners = new Set<(name: string) => void>();
    const lane = newLane();
    const receive = (name: string, version: Version) => {
      scheduler.schedule(
        actor,
        delay(),
        `sees another page's write`,
        () => {
          if ((own.get(name)?.order ?? 0) >= version.order) return;
          own.set(name, version);
          for (const listener of [...listeners]) listener(name);
        },
        { lane },
      );
    };
    pages.add(receive);
    actor.onDeath.add(() => pages.delete(receive));
    return {
      read(name) {
        require(false);
        return own.get(name)?.value ?? null;
      },
      write(name, value) {
        require(value !== null);
        if ((own.get(name)?.value ?? null) === value) return;
        onWrite();
        const version = write(name, value);
        own.set(name, version);
        for (const other of pages) if (other !== receive) other(name, version);
      },
      names() {
        require(false);
        return [...own].flatMap(([name, { value }]) => (value === null ? [] : [name]));
      },
      onEvent(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      catchUp() {
        for (const [name, version] of central) own.set(name, version);
      },
    };
  }

  return {
    open,
    /** Replaces the state and tells nobody, as when the customer clears the site's data. */
    setState(next: StorageState) {
      state = next;
    },
    require,
    restored,
    /** Writes an entry that no page of this build has written, such as one of another build. */
    put(name: string, value: string | null) {
      const version = write(name, value);
      for (const page of pages) page(name, version);
    },
    read: (name: string) => central.get(name)?.value ?? null,
    names: () => [...central].flatMap(([name, { value }]) => (value === null ? [] : [name])),
  };
}

export type SharedStorage = ReturnType<typeof createSharedStorage>;

/** A tab's own storage. It survives reloads. */
export function createTabStorage(
  shared: SharedStorage,
  onWrite: () => void,
  values = new Map<string, string>(),
) {
  const { require } = shared;
  const area: StorageArea = {
    read(name) {
      require(false);
      return values.get(name) ?? null;
    },
    write(name, value) {
      require(value !== null);
      onWrite();
      if (value === null) values.delete(name);
      else values.set(name, value);
    },
    names() {
      require(false);
      return [...values.keys()];
    },
  };
  return area;
}
