/**
 * The connection to this browser's other tabs: messages to all, and locks, so that one tab at a time sends or
 * polls. Without Web Locks (pages without a secure context have none) each tab works alone, and idempotency
 * keys on the server keep the result correct.
 */
import type { Browser } from "../browser/browser.ts";

export type Tabs = ReturnType<typeof createTabs>;

const prefix = "shop-chat:";

export function createTabs({ locks, openChannel }: Pick<Browser, "locks" | "openChannel">) {
  const channel = openChannel(`${prefix}1`);

  return {
    /**
     * Runs `work` when no other tab runs work of this name. A tab that closes releases the name to the next.
     */
    async exclusively(name: string, work: () => Promise<void>) {
      if (locks === undefined) return work();
      await locks.request(prefix + name, work);
    },
    /**
     * Like `exclusively`, but another tab can steal the name; then `lost` aborts. With `steals` this tab
     * steals it; otherwise it queues. Aborting `signal` leaves the queue; `work` must end itself.
     */
    async lead(
      name: string,
      { steals, signal }: { steals: boolean; signal: AbortSignal },
      work: (lost: AbortSignal) => Promise<void>,
    ) {
      const lost = new AbortController();
      try {
        if (locks === undefined) await work(lost.signal);
        else
          await locks.request(prefix + name, steals ? { steal: true } : { signal }, () => work(lost.signal));
        return "ended";
      } catch (error) {
        if (signal.aborted) return "ended";
        // A lock request rejects with this error when its lock is stolen.
        if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
        lost.abort();
        return "lost";
      }
    },
    post: (message: unknown) => channel?.postMessage(message),
    onMessage(listener: (message: unknown) => void) {
      if (channel === null) return () => undefined;
      const onMessage = (event: MessageEvent<unknown>) => listener(event.data);
      channel.addEventListener("message", onMessage);
      return () => channel.removeEventListener("message", onMessage);
    },
    close: () => channel?.close(),
  };
}
