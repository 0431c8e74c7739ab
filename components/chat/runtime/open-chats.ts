/** Which of the customer's conversations is on screen, with its draft. */
import type { ChatClient } from "../../../lib/chat-client/client.ts";
import { type ConversationRef, conversationName } from "../../../lib/conversation/conversation-ref.ts";
import {
  type Draft,
  emptyDraft,
  isEmptyDraft,
  joinDrafts,
  withoutFiles,
} from "../../../lib/conversation/delivery/draft.ts";
import { recordsOf } from "../../../lib/conversation/delivery/outbox.ts";
import { parseJson, stringsOf } from "../../../lib/conversation/delivery/stored.ts";
import type { ConversationAction } from "../../../lib/conversation/state/reducer.ts";
import type { Delivery } from "./chat-runtime.ts";
import type { OutboxStore } from "./delivery/outbox-store.ts";
import type { ConversationReader } from "./history/conversation-reader.ts";
import { newKey } from "./new-key.ts";
import { draftName, type Remembered } from "./storage/remembered.ts";
import { createTabStorage } from "./storage/storage.ts";
import type { ConversationStore } from "./tabs/conversation-store.ts";

export interface OpenChatsDeps {
  client: ChatClient;
  store: ConversationStore;
  remembered: Remembered;
  outbox: OutboxStore;
  reading: ConversationReader;
  delivery: Delivery;
  locale: string;
  publish(conversation: ConversationRef, action: ConversationAction): void;
}

/** Returns to a conversation that was left before it had a chat. */
export function conversationOf(remembered: Remembered, chatId: string | null): ConversationRef {
  return (chatId === null ? remembered.takeUnstarted() : null) ?? { chatId, createKey: newKey() };
}

export function createOpenChats(deps: OpenChatsDeps) {
  const { client, store, remembered, outbox, reading, delivery, locale, publish } = deps;
  const tabStorage = createTabStorage();
  const uploadsName = (conversation: ConversationRef) => `uploads:${conversationName(conversation)}`;
  let draft = emptyDraft;

  /** Of the conversation on screen. */
  function showOutbox(): void {
    store.dispatch({ type: "outbox_changed", records: recordsOf(outbox.all(), store.getState()) });
  }

  function show(conversation: ConversationRef): void {
    reading.leave();
    loseUploads();
    draft = remembered.draft(conversation);
    store.show(conversation);
    // From an earlier page.
    loseUploads();
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

  /** In the tab, because an upload ends with its page. */
  function holdUploads(names: readonly string[]): void {
    const stored = names.length === 0 ? null : JSON.stringify(names);
    tabStorage.write(uploadsName(store.getState()), stored);
  }

  function loseUploads(): void {
    const lost = stringsOf(parseJson(tabStorage.read(uploadsName(store.getState()))));
    if (lost.length === 0) return;
    holdUploads([]);
    setDraft(joinDrafts({ ...emptyDraft, lost }, remembered.draft(store.getState())));
  }

  function open(id: string | null, taken: Draft = emptyDraft): void {
    const conversation = conversationOf(remembered, id);
    if (id === null) moveRefused(conversation.createKey);
    if (!isEmptyDraft(taken)) {
      remembered.setDraft(conversation, joinDrafts(remembered.draft(conversation), taken));
    }
    show(conversation);
  }

  /** A conversation without a chat cannot be reopened, so its refused messages move to the new one. */
  function moveRefused(createKey: string): void {
    for (const record of recordsOf(outbox.all(), store.getState())) {
      if (record.chatId === null && record.refusal !== null) outbox.update(record.key, { createKey });
    }
  }

  function startOver(): void {
    const left = store.getState().pending.filter(({ record }) => record.refusal !== null);
    const taken = left.map(({ record }) => delivery.takeBack(record.key));
    loseUploads();
    const moved = [...taken, draft].reduceRight(joinDrafts);
    setDraft(emptyDraft);
    open(null, withoutFiles(moved));
  }

  function resume(): void {
    const current = remembered.current();
    if (current !== null && current.chatId !== store.getState().chatId) show(current);
  }

  async function requireChat(): Promise<string> {
    const conversation = store.getState();
    if (conversation.chatId !== null) return conversation.chatId;
    // Two calls create one chat, because both use the conversation's key.
    const { item } = await client.createChat({ locale }, { idempotencyKey: conversation.createKey });
    outbox.chatCreated(conversation.createKey, item.id);
    remembered.adopt(conversation, item);
    const uploads = tabStorage.read(uploadsName(conversation));
    tabStorage.write(uploadsName(conversation), null);
    tabStorage.write(uploadsName({ ...conversation, chatId: item.id }), uploads);
    publish(conversation, { type: "chat_created", chat: item });
    return item.id;
  }

  return {
    chats: {
      list: remembered.chats,
      forget: remembered.forget,
      open: (chatId: string) => open(chatId),
      openNew: () => open(null, { ...emptyDraft, text: draft.text }),
      resume,
      startOver,
      require: requireChat,
    },
    draft: { get: () => draft, set: setDraft, holdUploads, loseUploads },
    show,
    showOutbox,
    /** Another tab has changed this entry of the storage. */
    onStored(name: string) {
      if (name !== draftName(store.getState())) return;
      draft = remembered.draft(store.getState());
      store.notify();
    },
  };
}
