import { conversationName } from "../conversation-ref.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { pollInterval } from "../state/polling.ts";
import { competeForLead } from "../tabs/leadership.ts";
import type { ConversationReader } from "./conversation-reader.ts";
import { createPoller, type Poller } from "./poller.ts";

export interface SyncDeps extends Pick<OwnerParts, "browser" | "tabs" | "store" | "failureOf" | "signal"> {
  reading: Pick<ConversationReader, "sync" | "syncSoon">;
}

/**
 * Polls the conversation on screen: at once when the customer returns to the page or the network comes back,
 * otherwise every `pollInterval`. One tab of a browser does it; the others read what it has changed. Returns
 * a function that follows a change of the state.
 */
export function createSync({ browser, tabs, store, reading, failureOf, signal }: SyncDeps): () => void {
  let lead: { name: string; ending: AbortController } | null = null;
  let polled: { chatId: string; poller: Poller; interval: number; ending: AbortController } | null = null;

  const intervalNow = () => pollInterval(store.conversation(), browser.isVisible());
  const endedBy = (ending: AbortController) => AbortSignal.any([signal, ending.signal]);

  function pollerOf(chatId: string, ended: AbortSignal): Poller {
    // The situation may have changed since the timer was set.
    return createPoller(browser, failureOf, ended, async () => {
      if (store.conversation().chatId === chatId && intervalNow() > 0) await reading.sync();
    });
  }

  function stop(): void {
    polled?.ending.abort();
    polled = null;
  }

  function follow(): void {
    const { conversation, leads } = store.getState();
    const { chatId, history } = conversation;
    const name = conversationName(conversation);
    if (lead?.name !== name) {
      lead?.ending.abort();
      const ending = new AbortController();
      lead = { name, ending };
      store.set({ leads: false });
      competeForLead({ browser, tabs, failureOf, signal: endedBy(ending) }, `poll:${name}`, (now) => {
        if (lead?.name === name) store.set({ leads: now });
      });
      return;
    }
    if (!leads || chatId === null || history.state !== "ready") {
      stop();
      return;
    }
    if (polled?.chatId !== chatId) {
      stop();
      const ending = new AbortController();
      polled = { chatId, poller: pollerOf(chatId, endedBy(ending)), interval: 0, ending };
    }
    const interval = intervalNow();
    if (polled.interval !== interval) polled.poller.setInterval(interval);
    polled.interval = interval;
  }

  browser.on("visibility", follow);
  // Another tab or device may have started a turn, whose answer follows within seconds.
  browser.on("return", () => {
    if (polled !== null && pollInterval(store.conversation(), true) > 0)
      void reading.syncSoon(store.conversation());
  });
  return follow;
}
