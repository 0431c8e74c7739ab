import type { OwnerParts } from "../owner-parts.ts";
import { pollInterval } from "../state/polling.ts";
import { polledName } from "../storage-names.ts";
import type { ConversationReader } from "./conversation-reader.ts";
import { createPoller, type Poller } from "./poller.ts";

export interface SyncDeps extends Pick<OwnerParts, "browser" | "storage" | "store" | "failureOf" | "signal"> {
  reading: Pick<ConversationReader, "sync" | "syncSoon">;
}

/**
 * Polls the conversation on screen: at once when the customer returns to the page or the network comes back,
 * otherwise every `pollInterval`. A hidden tab does not poll while another tab does: it reads what that one
 * has changed. If two have polled at once, the later one goes on. Returns a function that follows a change
 * of the state.
 */
export function createSync({ browser, storage, store, reading, failureOf, signal }: SyncDeps): () => void {
  let polled: { chatId: string; poller: Poller; ending: AbortController } | null = null;
  /** The latest entry of this tab. */
  let ownPoll = "";

  const intervalNow = () => pollInterval(store.conversation(), browser.isVisible());

  function isPolledElsewhere(chatId: string): boolean {
    const latest = storage.read(polledName(chatId));
    if (browser.isVisible() || latest === null || latest === ownPoll) return false;
    // The other tab's next poll may come late. The clock may have been set back.
    return Math.abs(Date.now() - Number(latest)) < 1.5 * intervalNow();
  }

  function pollerOf(chatId: string, ended: AbortSignal): Poller {
    return createPoller(browser, failureOf, ended, async () => {
      // The situation may have changed since the timer was set.
      if (store.conversation().chatId !== chatId || intervalNow() === 0 || isPolledElsewhere(chatId)) return;
      ownPoll = `${Date.now()}`;
      storage.write(polledName(chatId), ownPoll);
      await reading.sync();
    });
  }

  function follow(): void {
    const { chatId, history } = store.conversation();
    const wanted = history.state === "ready" ? chatId : null;
    if (polled !== null && polled.chatId !== wanted) {
      polled.ending.abort();
      polled = null;
    }
    if (wanted === null) return;
    if (polled === null) {
      const ending = new AbortController();
      const poller = pollerOf(wanted, AbortSignal.any([signal, ending.signal]));
      polled = { chatId: wanted, poller, ending };
    }
    polled.poller.setInterval(intervalNow());
  }

  browser.on("visibility", follow);
  // Another tab or device may have started a turn, whose answer follows within seconds.
  browser.on("return", () => {
    if (polled !== null && pollInterval(store.conversation(), true) > 0)
      void reading.syncSoon(store.conversation());
  });
  return follow;
}
