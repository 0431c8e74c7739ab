import { conversationName } from "../conversation-ref.ts";
import type { RoomParts } from "../room-parts.ts";
import { pollInterval } from "../state/polling.ts";
import { competeForLead } from "../tabs/leadership.ts";
import type { ConversationReader } from "./conversation-reader.ts";
import { createPoller, type Poller } from "./poller.ts";

export interface SyncDeps extends Pick<RoomParts, "browser" | "tabs" | "store" | "failureOf"> {
  reading: Pick<ConversationReader, "sync" | "syncSoon">;
}

/**
 * Polls the conversation on screen: at once when the customer returns to the page or the network comes back,
 * otherwise every `pollInterval`. One tab of a browser does it; the others read what it has changed.
 */
export function createSync({ browser, tabs, store, reading, failureOf }: SyncDeps) {
  let lead: { name: string; withdraw(): void } | null = null;
  let polled: { chatId: string; poller: Poller; interval: number } | null = null;

  const intervalNow = () => pollInterval(store.conversation(), browser.isVisible());

  function pollerOf(chatId: string): Poller {
    // The situation may have changed since the timer was set.
    return createPoller(browser, failureOf, async () => {
      if (store.conversation().chatId === chatId && intervalNow() > 0) await reading.sync();
    });
  }

  function stop(): void {
    polled?.poller.stop();
    polled = null;
  }

  function follow(): void {
    const { conversation, leads } = store.getState();
    const { chatId, history } = conversation;
    const name = conversationName(conversation);
    if (lead?.name !== name) {
      lead?.withdraw();
      const onLead = (now: boolean) => {
        if (lead?.name === name) store.set({ leads: now });
      };
      // Set first: the outcome may be known at once.
      lead = { name, withdraw: () => undefined };
      store.set({ leads: false });
      lead.withdraw = competeForLead({ browser, tabs, failureOf }, `poll:${name}`, onLead);
      return;
    }
    if (!leads || chatId === null || history.state !== "ready") {
      stop();
      return;
    }
    if (polled?.chatId !== chatId) {
      stop();
      polled = { chatId, poller: pollerOf(chatId), interval: 0 };
    }
    const interval = intervalNow();
    if (polled.interval !== interval) polled.poller.setInterval(interval);
    polled.interval = interval;
  }

  const stops = [
    browser.on("visibility", follow),
    // Another tab or device may have started a turn, whose answer follows within seconds.
    browser.on("return", () => {
      if (polled !== null && pollInterval(store.conversation(), true) > 0)
        void reading.syncSoon(store.conversation());
    }),
  ];

  return {
    onState: follow,
    close() {
      for (const end of stops) end();
      stop();
      lead?.withdraw();
      lead = null;
      store.set({ leads: false });
    },
  };
}
