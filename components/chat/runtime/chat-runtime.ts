/**
 * Everything behind the chat's screen, for one browser tab: the conversation on screen, the outbox and its delivery,
 * the reading of messages, what this browser remembers. Components read its state and call its methods.
 */
import type { Chat } from "#lib/chat-api/chat.ts";
import type { ChatClient, Fetch } from "#lib/chat-client/client.ts";
import type { RememberedChat } from "#lib/conversation/chat-list.ts";
import type { ConversationRef } from "#lib/conversation/conversation-ref.ts";
import { type Draft, emptyDraft, isEmptyDraft, joinDrafts } from "#lib/conversation/draft.ts";
import { keepsKey, type OutboxRecord, recordsOf } from "#lib/conversation/outbox.ts";
import type { ConversationAction } from "#lib/conversation/reducer.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { createAlarm } from "./alarm.ts";
import { createBrowserClient } from "./browser-client.ts";
import type { BrowserTab } from "./browser-tab.ts";
import { createConversationReader } from "./conversation-reader.ts";
import { createConversationStore } from "./conversation-store.ts";
import { createDeliveryLoop } from "./delivery-loop.ts";
import { competeForLead } from "./leadership.ts";
import { newKey } from "./new-key.ts";
import { createOutboxStore, outboxName } from "./outbox-store.ts";
import { createRemembered, draftName } from "./remembered.ts";
import type { ChatStorage } from "./storage.ts";

/** What the customer wrote since the runtime was made: begun, or sent and not delivered. */
export interface Begun {
  text: string;
  records: readonly OutboxRecord[];
}

export interface ChatRuntime {
  getState(): ConversationState;
  subscribe(listener: () => void): () => void;
  client: ChatClient;
  /** The same client over another `fetch`, such as one that tells how far an upload has come. */
  clientWith(send: Fetch): ChatClient;
  /** Opens a chat of this customer, or with null a new conversation, taking a draft along. */
  open(chatId: string | null, draft?: Draft): void;
  /** Reads the chat's end again after it could not be read. */
  reload(): void;
  /** One step towards the past. Never rejects. */
  loadOlder(): Promise<void>;
  /** Looks for news: messages and the chat's state. Rejects when that fails. */
  sync(): Promise<void>;
  /** Looks for news now, and a few times more until there are some: an answer may follow what was just done. */
  syncSoon(): Promise<void>;
  /** Something happened to the conversation, on screen or not, in all tabs. */
  publish(conversation: ConversationRef, action: ConversationAction): void;
  /** Waits, until the network's return at the longest. */
  sleep(milliseconds: number): Promise<void>;
  send(draft: Draft): void;
  /** Another try at a refused message; with a new key where the old one is spent. */
  retry(key: string): void;
  /** Takes a refused message back: gives its content. */
  takeBack(key: string): Draft;
  stopShowing(): void;
  /** The customer looks at the conversation again. */
  markLookedAt(): void;
  /** The message is on screen: it and those before count as read. */
  markSeen(messageId: string): void;
  /** What is typed and attached in the conversation on screen. */
  getDraft(): Draft;
  setDraft(draft: Draft): void;
  /** False when this browser keeps nothing for the page. */
  isLasting(): boolean;
  chats(): RememberedChat[];
  forgetChat(chatId: string): void;
  /** The chat's ID, creating the chat where there is none yet: files need one before the first message. */
  requireChat(): Promise<string>;
  /** Competes with the other tabs for polling; see `competeForLead`. */
  lead(name: string, onChange: (leads: boolean) => void): () => void;
  /**
   * Gives what was begun here to another customer's runtime that takes this one's place, and keeps nothing of it. Where
   * none does, it stays. Also of one that is closed.
   */
  takeBegun(): Begun;
  close(): void;
}

export interface ChatRuntimeOptions {
  storage: ChatStorage;
  tab: BrowserTab;
  /** BCP 47; the language that new chats are started in. */
  locale: string;
  /** A chat to open instead of the one that was on screen last. */
  chatId?: string | null;
  /** Of the runtime before this one. */
  begun?: Begun | null;
}

export function createChatRuntime({
  storage,
  tab: { tabs, session },
  locale,
  chatId = null,
  begun = null,
}: ChatRuntimeOptions): ChatRuntime {
  const remembered = createRemembered(storage);
  const conversationOf = (id: string | null): ConversationRef =>
    (id === null ? remembered.takeUnborn() : null) ?? { chatId: id, createKey: newKey() };
  const initial =
    begun?.records[0] ?? (chatId === null ? remembered.current() : null) ?? conversationOf(chatId);
  const store = createConversationStore(initial, tabs);
  const alarm = createAlarm();
  const client = createBrowserClient(session);
  /** Of the conversation on screen; kept in storage at every change. */
  let draft = emptyDraft;
  const startedAt = Date.now();

  const outbox = createOutboxStore(storage, showOutbox);
  const reading = createConversationReader({ client, session, storage, store, remembered, alarm, publish });
  const delivery = createDeliveryLoop({
    client,
    outbox,
    tabs,
    alarm,
    publish,
    readNews: reading.readNews,
    startSession: session.start,
    onChatCreated: remembered.adopt,
  });

  function showOutbox(): void {
    store.dispatch({ type: "outbox_changed", records: recordsOf(outbox.all(), store.getState()) });
  }

  /** What is remembered outlives the page; what is on screen follows. */
  function publish(conversation: ConversationRef, action: ConversationAction): void {
    store.publish(conversation, action);
    if (action.type === "restarted") remembered.setCurrent(store.getState());
    if (action.type === "turn_done") rememberMode(action.turn.chat);
    if (action.type === "chat_read") rememberMode(action.chat);
    // A reply that was seen may be what a waiting message waits for.
    if (action.type === "turn_done" || action.type === "news_read") alarm.ring(true);
  }

  function rememberMode(chat: Chat): void {
    const awaitsTeam = chat.mode === "waiting" || chat.mode === "teammate";
    const isClosed = chat.mode === "resolved";
    const known = remembered.chat(chat.id);
    if (known?.awaitsTeam !== awaitsTeam || known.isClosed !== isClosed)
      remembered.change(chat.id, { awaitsTeam, isClosed });
  }

  function show(conversation: ConversationRef): void {
    reading.leave();
    draft = remembered.draft(conversation);
    store.show(conversation);
    store.dispatch({ type: "end_reading" });
    showOutbox();
    remembered.setCurrent(store.getState());
    void reading.readEnd();
  }

  function setDraft(changed: Draft): void {
    draft = changed;
    remembered.setDraft(store.getState(), draft);
    store.notify();
  }

  /** The same message under a new key; it stands at the end now, so what it follows is the latest known message. */
  function sendAnew(record: OutboxRecord): void {
    outbox.remove(record.key);
    outbox.put({
      ...record,
      key: newKey(),
      afterMessageId: lastMessageId(),
      createdAt: Date.now(),
      attempted: false,
      refusal: null,
    });
  }

  /** Refused messages of a conversation that never had a chat could not be come back to: a new one takes them along. */
  function takeRefusedAlong(createKey: string): void {
    for (const record of recordsOf(outbox.all(), store.getState())) {
      if (record.chatId === null && record.refusal !== null) outbox.update(record.key, { createKey });
    }
  }

  const lastMessageId = () => store.getState().messages.at(-1)?.id ?? null;

  const stopWatching = storage.onChange((name) => {
    if (name === draftName(store.getState())) {
      draft = remembered.draft(store.getState());
      store.notify();
    }
    if (name !== outboxName) return;
    showOutbox();
    // A tab that closes leaves its messages to the others.
    delivery.kick();
  });
  const onOnline = () => {
    alarm.ring();
    delivery.kick();
  };
  window.addEventListener("online", onOnline);
  for (const record of begun?.records ?? []) outbox.put(record);
  show(initial);
  /** From an earlier page, whoever was here then. */
  const oldText = draft.text;
  if (begun?.text) setDraft(joinDrafts(draft, { text: begun.text, files: [] }));
  delivery.kick();

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    client,
    clientWith: (send) => createBrowserClient(session, send),
    open(id, taken = emptyDraft) {
      const conversation = conversationOf(id);
      if (id === null) takeRefusedAlong(conversation.createKey);
      if (!isEmptyDraft(taken)) {
        remembered.setDraft(conversation, joinDrafts(remembered.draft(conversation), taken));
      }
      show(conversation);
    },
    reload: () => show(store.getState()),
    loadOlder: reading.loadOlder,
    sync: reading.sync,
    syncSoon: reading.syncSoon,
    publish,
    sleep: alarm.sleep,
    send({ text, files }) {
      const { chatId: id, createKey } = store.getState();
      outbox.put({
        key: newKey(),
        createKey,
        chatId: id,
        locale,
        text,
        files,
        afterMessageId: lastMessageId(),
        createdAt: Date.now(),
        attempted: false,
        refusal: null,
      });
      delivery.kick();
    },
    retry(key) {
      const record = outbox.find(key);
      if (record === null || record.refusal === null) return;
      if (keepsKey(record.refusal)) outbox.update(key, { refusal: null, createdAt: Date.now() });
      else sendAnew(record);
      delivery.kick();
    },
    takeBack(key) {
      const record = outbox.find(key);
      outbox.remove(key);
      return record === null ? emptyDraft : { text: record.text, files: record.files };
    },
    stopShowing: () => store.publish(store.getState(), { type: "stop_showing" }),
    markLookedAt: () => store.dispatch({ type: "looked_at" }),
    markSeen(messageId) {
      const { chatId: id, seenId } = store.getState();
      if (id === null || seenId === messageId) return;
      store.publish(store.getState(), { type: "seen", messageId });
      remembered.change(id, { seenId: messageId });
    },
    getDraft: () => draft,
    setDraft,
    isLasting: storage.isLasting,
    chats: remembered.chats,
    forgetChat: remembered.forget,
    async requireChat() {
      const conversation = store.getState();
      if (conversation.chatId !== null) return conversation.chatId;
      // Asked for twice at once, the chat is created once: the key is the conversation's.
      const { item } = await client.createChat({ locale }, { idempotencyKey: conversation.createKey });
      outbox.chatCreated(conversation.createKey, item.id);
      remembered.adopt(conversation, item);
      store.publish(conversation, { type: "chat_created", chat: item });
      return item.id;
    },
    lead: (name, onChange) => competeForLead(tabs, `poll:${name}`, onChange),
    takeBegun() {
      // Under the same keys: what has got to the server already is done once. A chat from an earlier page may be another's.
      const records = recordsOf(outbox.all(), store.getState()).filter(
        ({ createdAt }) => createdAt >= startedAt,
      );
      for (const { key } of records) outbox.remove(key);
      const text = oldText !== "" && draft.text.includes(oldText) ? "" : draft.text;
      if (text !== "") setDraft({ ...draft, text: "" });
      return {
        text,
        records: records.map((record) => ({ ...record, chatId: null, afterMessageId: null })),
      };
    },
    close() {
      stopWatching();
      window.removeEventListener("online", onOnline);
      reading.leave();
      delivery.close();
      store.close();
    },
  };
}
