import { listen } from "../listen.ts";
import type { Browser, StorageArea } from "./browser.ts";
import { createProgressFetch } from "./progress-fetch.ts";
import { shrinkPicture } from "./shrink-picture.ts";

/**
 * When the customer returns to the tab, `visibilitychange` and `focus` fire within this many milliseconds.
 */
const sameReturn = 500;

/** The browser of this page. */
export function pageBrowser(): Browser {
  return {
    fetch: (...call) => fetch(...call),
    fetchWithProgress: createProgressFetch,
    shrinkPicture,
    local: areaOf(() => window.localStorage),
    tab: areaOf(() => window.sessionStorage),
    locks: navigator.locks,
    openChannel(name) {
      try {
        return new BroadcastChannel(name);
      } catch {
        // Old browsers have none; with blocked cookies some deny it.
        return null;
      }
    },
    isOnline: () => navigator.onLine,
    isVisible,
    on(event, listener) {
      if (event === "online") return listen(window, event, listener);
      if (event === "visibility") return listen(document, "visibilitychange", listener);
      return event === "return" ? onReturn(listener) : onCache(event, listener);
    },
    onStored,
    beforeFrame(act) {
      const frame = requestAnimationFrame(act);
      return () => cancelAnimationFrame(frame);
    },
    isOwnOrigin: (address) => new URL(address, document.baseURI).origin === window.location.origin,
    isLoopback: /^(?:localhost|127\.|\[::1\])/.test(window.location.hostname),
  };
}

function isVisible(): boolean {
  return document.visibilityState === "visible";
}

/** Calls back when the page goes into the back/forward cache, or comes back. */
function onCache(event: "pagehide" | "pageshow", listener: () => void): () => void {
  return listen(window, event, (change) => {
    if ("persisted" in change && change.persisted) listener();
  });
}

/** A page in the back/forward cache is told nothing, so it compares when it comes back. */
function onStored(listener: (name: string) => void): () => void {
  let before: Record<string, string> = {};
  const stops = [
    listen(window, "storage", (event) => {
      if (event instanceof StorageEvent && event.key !== null) listener(event.key);
    }),
    onCache("pagehide", () => {
      before = ownEntries();
    }),
    onCache("pageshow", () => {
      const now = ownEntries();
      for (const name of Object.keys({ ...before, ...now })) if (before[name] !== now[name]) listener(name);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function ownEntries(): Record<string, string> {
  try {
    const all = Object.entries<string>({ ...window.localStorage });
    return Object.fromEntries(all.filter(([name]) => name.startsWith("shop-chat")));
  } catch {
    // The storage is denied.
    return {};
  }
}

function onReturn(listener: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  const onEvent = () => {
    if (!isVisible() || performance.now() - last < sameReturn) return;
    last = performance.now();
    listener();
  };
  const stops = [listen(window, "focus", onEvent), listen(document, "visibilitychange", onEvent)];
  return () => {
    for (const stop of stops) stop();
  };
}

function areaOf(open: () => Storage): StorageArea {
  return {
    read: (name) => open().getItem(name),
    write: (name, value) => (value === null ? open().removeItem(name) : open().setItem(name, value)),
    names: () => Object.keys(open()),
  };
}
