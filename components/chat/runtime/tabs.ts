/**
 * The other tabs of this browser: they hear what this one learns, and only one at a time sends or polls. Without
 * locks (pages that are not served securely have none) each tab works alone, and the server's keys keep it right.
 */

export interface Tabs {
  /** Runs `work` once no other tab runs work of this name. A tab that closes gives its place to the next. */
  exclusively(name: string, work: () => Promise<void>): Promise<void>;
  /**
   * Like `exclusively`, but another tab can take the name away: `work` hears of it by `lost`. With `steals` this tab
   * does so; else it waits for its turn. Aborting `signal` gives up the waiting; ending the work is up to `work`.
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
        // The request of a holder whose lock is stolen rejects so.
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
