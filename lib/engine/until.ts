/**
 * Actions that end with a signal. A closed chat, and the chats of a former customer, send, store and show
 * nothing any more, whatever their parts still try.
 */
import type { Fetch } from "../chat-client/connection.ts";
import type { Browser } from "./browser/browser.ts";
import type { ChatStore } from "./state/store.ts";
import type { ChatStorage } from "./storage/storage.ts";

/** The function, which does nothing from then on. */
export function until<A extends unknown[]>(signal: AbortSignal, act: (...args: A) => void) {
  return (...args: A): void => {
    if (!signal.aborted) act(...args);
  };
}

/** The subscription, which ends then. */
function subscribedUntil(signal: AbortSignal, subscribe: () => () => void): () => void {
  if (signal.aborted) return () => undefined;
  const stop = subscribe();
  signal.addEventListener("abort", stop);
  return () => {
    signal.removeEventListener("abort", stop);
    stop();
  };
}

/** The storage, which no longer changes from then on, nor tells of changes. */
export const storageUntil = (signal: AbortSignal, storage: ChatStorage): ChatStorage => ({
  ...storage,
  write: until(signal, storage.write),
  onChange: (listener) => subscribedUntil(signal, () => storage.onChange(listener)),
});

/** The store, which no longer changes from then on, nor tells of changes. */
export const storeUntil = (signal: AbortSignal, store: ChatStore): ChatStore => ({
  ...store,
  set: until(signal, store.set),
  show: until(signal, store.show),
  enter: until(signal, store.enter),
  dispatch: until(signal, store.dispatch),
  apply: until(signal, store.apply),
  subscribe: (listener) => subscribedUntil(signal, () => store.subscribe(listener)),
  follow: (follower) => subscribedUntil(signal, () => store.follow(follower)),
});

/** The browser, whose requests and subscriptions end then, and which takes none from then on. */
export function browserUntil(signal: AbortSignal, browser: Browser): Browser {
  const fetchWith =
    (send: Fetch): Fetch =>
    async (address, init) => {
      signal.throwIfAborted();
      return send(address, {
        ...init,
        signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
      });
    };
  return {
    ...browser,
    fetch: fetchWith((...call) => browser.fetch(...call)),
    fetchWithProgress: (onProgress) => fetchWith(browser.fetchWithProgress(onProgress)),
    on: (event, listener) => subscribedUntil(signal, () => browser.on(event, listener)),
    onStored: (listener) => subscribedUntil(signal, () => browser.onStored(listener)),
  };
}
