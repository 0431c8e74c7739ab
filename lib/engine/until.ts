/**
 * What ends with a signal. A closed chat, or the closed room of one customer, sends, stores and shows nothing
 * any more, whatever its parts still try.
 */
import type { Fetch } from "../chat-client/fetch-exchange.ts";
import type { Browser, StorageArea } from "./browser/browser.ts";

/** The function, which does nothing from then on. */
export function until<A extends unknown[]>(signal: AbortSignal, act: (...args: A) => void) {
  return (...args: A): void => {
    if (!signal.aborted) act(...args);
  };
}

/** The browser, whose requests are aborted and whose storage no longer changes from then on. */
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
  const area = (stored: StorageArea): StorageArea => ({
    read: (name) => stored.read(name),
    names: () => stored.names(),
    write: until(signal, (name, value) => stored.write(name, value)),
  });
  return {
    ...browser,
    fetch: fetchWith((...call) => browser.fetch(...call)),
    fetchWithProgress: (onProgress) => fetchWith(browser.fetchWithProgress(onProgress)),
    local: area(browser.local),
    tab: area(browser.tab),
  };
}
