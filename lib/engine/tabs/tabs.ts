/**
 * The connection to this browser's other tabs: messages to all, and locks, so that one tab at a time sends or
 * polls. Without Web Locks (pages without a secure context have none, a browser that blocks cookies denies
 * them) each tab works alone, and idempotency keys on the server keep the result correct.
 */
import type { Browser } from "../browser/browser.ts";
import { entryRoot } from "../entry-root.ts";

export type Tabs = ReturnType<typeof createTabs>;

export function createTabs({ locks, openChannel }: Pick<Browser, "locks" | "openChannel">, api: string) {
  const channelName = entryRoot(api).slice(0, -1);
  // The version of stored data does not concern locks.
  const prefix = channelName.slice(0, -1);
  const channel = openChannel(channelName);

  return {
    /**
     * Runs `work` when no other tab runs work of this name. A tab that closes releases the name to the next.
     * Rejects with an AbortError when another tab steals the name.
     */
    exclusively<T>(name: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
      if (locks === undefined) return work();
      return locks.request<Promise<T>>(prefix + name, options, work).catch((error: Error) => {
        if (error.name === "SecurityError") return work();
        throw error;
      });
    },
    post: (message: unknown) => channel.postMessage(message),
    onMessage(listener: (message: unknown) => void) {
      channel.addEventListener("message", ({ data }) => listener(data));
    },
    close: () => channel.close(),
  };
}
