import type { Browser, StorageArea } from "./browser.ts";

/**
 * When the customer returns to the tab, `visibilitychange` and `focus` fire within this many milliseconds.
 */
const sameReturn = 500;

/** The browser of this page. */
export function pageBrowser(): Browser {
  return {
    fetch: (...call) => fetch(...call),
    // Loaded with the first upload.
    fetchWithProgress:
      (onProgress) =>
      async (...call) =>
        (await import("./progress-fetch.ts")).createProgressFetch(onProgress)(...call),
    shrinkPicture: async (file) => (await import("./shrink-picture.ts")).shrinkPicture(file),
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
      if (event !== "return")
        return listen(window, event, (change) => {
          if ("persisted" in change && change.persisted) listener();
        });
      return onReturn(listener);
    },
    onStored: (listener) =>
      listen(window, "storage", (event) => {
        if (event instanceof StorageEvent && event.key !== null) listener(event.key);
      }),
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

function listen(target: EventTarget, name: string, listener: (event: Event) => void): () => void {
  target.addEventListener(name, listener);
  return () => target.removeEventListener(name, listener);
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
