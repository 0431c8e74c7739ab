/**
 * Locks between this browser's tabs, so that one tab at a time sends. Without Web Locks (pages
 * without a secure context have none, a browser that blocks cookies denies them) each tab works alone, and
 * idempotency keys on the server keep the result correct.
 *
 * A browser keeps no page with a channel or a lock in its back/forward cache. So the channel opens with the
 * first use, and a page that goes into the cache gives up both until it comes back.
 */
import type { Browser } from "../browser/browser.ts";
import { entryRoot } from "../storage-names.ts";

export type Tabs = ReturnType<typeof createTabs>;

/** Asks the holder of a lock whether it still runs, or answers for this tab. */
interface LockMessage {
  type: "ask" | "alive";
  name: string;
}

/** Milliseconds between questions. A holder that leaves two in a row unanswered is stopped by a dialog. */
const askInterval = 2_500;

/** @param signal Aborts when the chat closes: the tab then gives up its names. */
export function createTabs(
  { locks, openChannel, on }: Pick<Browser, "locks" | "openChannel" | "on">,
  api: string,
  signal: AbortSignal,
) {
  const channelName = entryRoot(api).slice(0, -1);
  // The version of stored data does not concern locks.
  const prefix = channelName.slice(0, -1);
  let channel: BroadcastChannel | null = null;
  /** The locks of this tab. */
  const held = new Set<string>();
  /** The questions about each lock since its holder last answered. */
  const unanswered = new Map<string, number>();
  /** Aborts when the page goes into the back/forward cache; replaced when it comes back. */
  let hiding = new AbortController();
  let shown = Promise.resolve();
  let show: () => void = () => undefined;

  function open(): void {
    if (channel !== null || hiding.signal.aborted) return;
    channel = openChannel(channelName);
    // Another build in another tab may post messages that this one does not know.
    channel?.addEventListener("message", ({ data }: MessageEvent<Partial<LockMessage> | null>) => {
      const { type, name = "" } = data ?? {};
      if (type === "alive") unanswered.set(name, 0);
      if (type === "ask" && held.has(name)) say("alive", name);
    });
  }

  function say(type: LockMessage["type"], name: string): void {
    open();
    channel?.postMessage({ type, name } satisfies LockMessage);
  }

  /** Asks the holder of the lock again and again, and calls back once it has stopped. */
  function askHolder(name: string, onSilence: () => void) {
    unanswered.set(name, 0);
    return setInterval(() => {
      const count = unanswered.get(name) ?? 0;
      if (count > 1) onSilence();
      say("ask", name);
      if (channel !== null) unanswered.set(name, count + 1);
    }, askInterval);
  }

  /**
   * Runs `work` when no other tab runs work of this name. A tab that closes releases the name to the next.
   * One that a dialog has stopped loses it to a tab that waits; `isStolen` tells its work. `ended` aborts
   * when the name is lost, also to the back/forward cache: the work has to end then. Rejects if the chat
   * closes first. Asks for the name at once: no other tab may be first while this page draws what it has
   * stored.
   */
  async function exclusively<T>(
    name: string,
    work: (ended: AbortSignal, isStolen: boolean) => Promise<T>,
    steal = false,
  ): Promise<T> {
    if (hiding.signal.aborted) await shown;
    if (signal.aborted) throw new DOMException("The chat is closed.", "AbortError");
    open();
    const { signal: hidden } = hiding;
    const lost = new AbortController();
    const ended = AbortSignal.any([hidden, lost.signal]);
    if (locks === undefined) return work(ended, false);
    const asking = steal ? undefined : askHolder(name, () => lost.abort());
    let hasBegun = false;
    const { promise, resolve } = Promise.withResolvers<T>();
    const begin = async () => {
      hasBegun = true;
      clearInterval(asking);
      held.add(name);
      // Others that wait for a silent holder would steal the name, too.
      if (steal) say("alive", name);
      const working = work(ended, steal);
      resolve(working);
      await working.catch(() => undefined);
      held.delete(name);
    };
    locks.request(prefix + name, steal ? { steal } : { signal: ended }, begin).catch((error: Error) => {
      clearInterval(asking);
      if (hasBegun) lost.abort();
      else if (error.name === "SecurityError") resolve(work(ended, false));
      else resolve(exclusively(name, work, lost.signal.aborted));
    });
    return promise;
  }

  function giveUp(): void {
    hiding.abort();
    channel?.close();
    channel = null;
  }

  on("pagehide", () => {
    shown = new Promise((resolve) => {
      show = resolve;
    });
    giveUp();
  });
  on("pageshow", () => {
    hiding = new AbortController();
    show();
  });
  signal.addEventListener("abort", () => {
    giveUp();
    show();
  });

  return { exclusively };
}
