/** Which of the customer's conversations is on screen, with its draft. */
import type { ChatClient } from "../../../lib/chat-client/client.ts";
import { type ConversationRef, isSameConversation } from "../../../lib/conversation/conversation-ref.ts";
import { parseConversationRef } from "../../../lib/conversation/delivery/chat-list.ts";
import {
  type Draft,
  emptyDraft,
  isEmptyDraft,
  joinDrafts,
  withoutFiles,
  withoutNames,
} from "../../../lib/conversation/delivery/draft.ts";
import { recordsOf } from "../../../lib/conversation/delivery/outbox.ts";
import { isRecord, parseJson, stringsOf } from "../../../lib/conversation/delivery/stored.ts";
import type { ConversationAction } from "../../../lib/conversation/state/reducer.ts";
import type { Delivery } from "./chat-runtime.ts";
import type { OutboxStore } from "./delivery/outbox-store.ts";
import type { ConversationReader } from "./history/conversation-reader.ts";
import { newKey } from "./new-key.ts";
import { draftName, type Remembered } from "./storage/remembered.ts";
import { createTabStorage } from "./storage/storage.ts";
import type { ConversationStore } from "./tabs/conversation-store.ts";

export interface OpenChatsDeps {
  owner: string;
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
  const { owner, client, store, remembered, outbox, reading, delivery, locale, publish } = deps;
  const tabStorage = createTabStorage();
  /** The tab's entry for `held`, because an upload ends with its page. */
  const uploadsName = `uploads:${owner}`;
  let draft = emptyDraft;
  /** Names of chosen files that are not attached yet, always of the conversation on screen. */
  let held: readonly string[] = [];
  let isClosed = false;
  loseEarlierUploads();

  /** Of the conversation on screen. */
  function showOutbox(): void {
    store.dispatch({ type: "outbox_changed", records: recordsOf(outbox.all(), store.getState()) });
  }

  function show(conversation: ConversationRef): void {
    reading.leave();
    // The uploads of a chat that is only read again continue.
    if (!isSameConversation(conversation, store.getState())) loseUploads();
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

  function holdUploads(names: readonly string[], createKey: string): void {
    const { chatId, createKey: shown } = store.getState();
    // React may run effects of the bar after its conversation was left.
    if (isClosed || createKey !== shown) return;
    held = names;
    tabStorage.write(uploadsName, names.length === 0 ? null : JSON.stringify({ chatId, createKey, names }));
  }

  function loseUploads(): void {
    if (held.length === 0) return;
    const lost = held;
    holdUploads([], store.getState().createKey);
    setDraft(joinDrafts({ ...emptyDraft, lost }, draft));
  }

  /** Their conversation may have got its chat since, and need not be the one that this page opens. */
  function loseEarlierUploads(): void {
    const stored = tabStorage.read(uploadsName);
    const [value, uploading] = [parseJson(stored), parseConversationRef(stored)];
    if (uploading === null || !isRecord(value)) return;
    tabStorage.write(uploadsName, null);
    const current = remembered.current();
    const left = current !== null && isSameConversation(current, uploading) ? current : uploading;
    const lost = { ...emptyDraft, lost: stringsOf(value["names"]) };
    remembered.setDraft(left, joinDrafts(lost, remembered.draft(left)));
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
      const known = draft.lost;
      draft = remembered.draft(store.getState());
      // A copy of this tab has lost the uploads that continue here.
      const lost = withoutNames(draft.lost, withoutNames(held, known));
      if (lost.length < draft.lost.length) setDraft({ ...draft, lost });
      else store.notify();
    },
    close() {
      loseUploads();
      isClosed = true;
    },
  };
}
