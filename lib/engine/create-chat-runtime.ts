import type { Chat } from "../chat-api/chat.ts";
import { createAlarm } from "./alarm.ts";
import type { ChatRuntime, History, Unsent } from "./chat-runtime.ts";
import { emptyDraft, joinDrafts } from "./chats/draft.ts";
import { createRemembered } from "./chats/remembered.ts";
import { createShownDraft } from "./chats/shown-draft.ts";
import { type ConversationRef, isSameConversation } from "./conversation-ref.ts";
import { createDeliveryLoop } from "./delivery/delivery-loop.ts";
import { createOutgoing } from "./delivery/outgoing.ts";
import { createConversationReader } from "./history/conversation-reader.ts";
import { createBrowserClient } from "./identity/browser-client.ts";
import type { BrowserTab } from "./identity/browser-tab.ts";
import type { Session } from "./identity/session.ts";
import { conversationOf, createOpenChats } from "./open-chats.ts";
import { recordsOf } from "./outbox/outbox.ts";
import { createOutboxStore, isOutboxEntry } from "./outbox/outbox-store.ts";
import { createConversationStore } from "./state/conversation-store.ts";
import type { ConversationAction } from "./state/reducer.ts";
import type { ChatStorage } from "./storage/storage.ts";
import { competeForLead } from "./tabs/leadership.ts";

export interface ChatRuntimeOptions {
  /** The owner of the chats and of the stored data. */
  owner: string;
  storage: ChatStorage;
  tab: BrowserTab;
  /** BCP 47; the language of new chats. */
  locale: string;
  /** The chat to open instead of the last one on screen. */
  chatId?: string | null;
  /** The unsent content of the runtime that this one replaces. */
  unsent?: Unsent | null;
}

type Parts = ReturnType<typeof createParts>;

export function createChatRuntime(options: ChatRuntimeOptions): ChatRuntime {
  const parts = createParts(options);
  const { client, store, outbox, alarm, loop, delivery, draft, opened } = parts;
  const { owner, storage, tab, unsent = null } = options;
  const startedAt = Date.now();
  const stopWatching = watchBrowser(parts, storage);
  const stopListening = tab.session.onEnd(parts.reading.showService);

  for (const record of unsent?.records ?? []) outbox.put(record);
  opened.show(parts.initial);
  /** The stored draft's text. It comes from an earlier page, possibly of another customer. */
  const oldText = draft.get().text;
  if (unsent?.text) draft.set(joinDrafts(draft.get(), { ...emptyDraft, text: unsent.text }));
  loop.kick();

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    publish: parts.publish,
    client,
    clientWith: (send) => createBrowserClient({ session: tab.session, owner, send }),
    chats: opened.chats,
    history: historyOf(parts, tab.session),
    delivery,
    draft,
    sleep: alarm.sleep,
    isLasting: storage.isLasting,
    lead: (name, onChange) => competeForLead(tab.tabs, `poll:${name}`, onChange),
    takeUnsent() {
      // The records keep their keys, so a request that reached the server is not applied twice. Their chat,
      // and content from an earlier page, may belong to someone else and stay behind.
      const records = recordsOf(outbox.all(), store.getState()).filter(
        ({ createdAt }) => createdAt >= startedAt,
      );
      for (const { key } of records) outbox.remove(key);
      const now = draft.get();
      const text = oldText !== "" && now.text.includes(oldText) ? "" : now.text;
      if (text !== "") draft.set({ ...now, text: "" });
      return {
        text,
        records: records.map((record) => ({ ...record, chatId: null, afterMessageId: null })),
      };
    },
    close() {
      stopWatching();
      stopListening();
      parts.reading.leave();
      loop.close();
      store.close();
      draft.close();
    },
  };
}

function createParts({ owner, storage, tab, locale, chatId = null, unsent = null }: ChatRuntimeOptions) {
  const { tabs, session } = tab;
  const remembered = createRemembered(storage);
  const initial =
    unsent?.records[0] ??
    (chatId === null ? remembered.current() : null) ??
    conversationOf(remembered, chatId);
  const store = createConversationStore(initial, tabs);
  const alarm = createAlarm();
  const client = createBrowserClient({ session, owner });
  const outbox = createOutboxStore(storage, () => opened.showOutbox());
  const reading = createConversationReader({
    client,
    session,
    owner,
    storage,
    store,
    remembered,
    alarm,
    publish,
  });
  const loop = createDeliveryLoop({
    client,
    outbox,
    tabs,
    alarm,
    publish,
    readNews: reading.readNews,
    startSession: session.start,
    onChatCreated: remembered.adopt,
  });
  const delivery = createOutgoing({ store, outbox, reading, alarm, locale, kick: loop.kick });
  const draft = createShownDraft({ owner, store, remembered });
  const opened = createOpenChats({
    client,
    store,
    remembered,
    draft,
    outbox,
    reading,
    delivery,
    locale,
    publish,
  });

  /** Applies the action in all tabs and stores what outlives the page. */
  function publish(conversation: ConversationRef, action: ConversationAction): void {
    const { messages } = store.getState();
    store.publish(conversation, action);
    if (action.type === "restarted") remembered.setCurrent(store.getState());
    if (action.type === "turn_done") rememberMode(action.turn.chat);
    if (action.type === "chat_read") rememberMode(action.chat);
    // The channel may start with a greeting.
    if (action.type === "chat_created" && isSameConversation(store.getState(), conversation))
      void reading.readBeginning();
    const isNews = action.type === "news_read" && store.getState().messages !== messages;
    // A waiting message may be waiting for the reply that was just seen.
    if (action.type === "turn_done" || isNews) alarm.wake("news");
  }

  function rememberMode(chat: Chat): void {
    const awaitsTeam = chat.mode === "waiting" || chat.mode === "teammate";
    const isClosed = chat.mode === "resolved";
    const known = remembered.chat(chat.id);
    if (known?.awaitsTeam !== awaitsTeam || known.isClosed !== isClosed)
      remembered.changed(chat.id, { awaitsTeam, isClosed });
  }

  return {
    initial,
    remembered,
    store,
    alarm,
    client,
    outbox,
    reading,
    loop,
    delivery,
    draft,
    opened,
    publish,
  };
}

function historyOf({ store, reading, remembered, opened }: Parts, session: Session): History {
  return {
    reload() {
      const show = () => opened.show(store.getState());
      if (session.refusal() === null) show();
      // Another failure is shown when the start ends.
      else session.start().then(show, () => undefined);
    },
    loadOlder: reading.loadOlder,
    sync: reading.sync,
    syncSoon: reading.syncSoon,
    markLookedAt: () => store.dispatch({ type: "looked_at" }),
    markSeen(messageId) {
      const { chatId, seenId, crossedIds } = store.getState();
      if (chatId === null || (seenId === messageId && crossedIds.length === 0)) return;
      store.publish(store.getState(), { type: "seen", messageId });
      remembered.seen(chatId, messageId);
    },
  };
}

/** Follows other tabs and the network. Returns a function that stops. */
function watchBrowser({ draft, opened, loop, alarm }: Parts, storage: ChatStorage): () => void {
  const stopWatching = storage.onChange((name) => {
    draft.onStored(name);
    if (!isOutboxEntry(name)) return;
    opened.showOutbox();
    // Queues for the other tab's messages: if it closes, this tab delivers them.
    loop.kick();
  });
  const onOnline = () => {
    alarm.wake("network");
    loop.kick();
  };
  window.addEventListener("online", onOnline);
  return () => {
    stopWatching();
    window.removeEventListener("online", onOnline);
  };
}
