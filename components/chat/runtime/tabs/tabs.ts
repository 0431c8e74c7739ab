/**
 * The other tabs of this browser: they receive what this one learns, and only one at a time sends or polls.
 * Without Web Locks (pages without a secure context have none) each tab works alone, and idempotency keys on
 * the server keep the result correct.
 */

export interface Tabs {
  /**
   * Runs `work` when no other tab runs work of this name. A tab that closes releases the name to the next.
   */
  exclusively(name: string, work: () => Promise<void>): Promise<void>;
  /**
   * Like `exclusively`, but another tab can steal the name; then `lost` aborts. With `steals` this tab steals
   * it; otherwise it queues. Aborting `signal` leaves the queue; `work` must end itself.
   */
  lead(
    name: string,
    options: { steals: boolean; signal: AbortSignal },
    work: (lost: AbortSignal) => Promise<void>,
  ): Promise<"ended" | "lost">;
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): () => void;
  close(): void;
}

const prefix = "shop-chat:";

export function createTabs(): Tabs {
  const locks = typeof navigator === "undefined" ? undefined : navigator.locks;
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`${prefix}1`);

  return {
    async exclusively(name, work) {
      if (locks === undefined) return work();
      await locks.request(prefix + name, work);
    },
    async lead(name, { steals, signal }, work) {
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
    post: (message) => channel?.postMessage(message),
    onMessage(listener) {
      if (channel === null) return () => undefined;
      const onMessage = (event: MessageEvent<unknown>) => listener(event.data);
      channel.addEventListener("message", onMessage);
      return () => channel.removeEventListener("message", onMessage);
    },
    close: () => channel?.close(),
  };
}
