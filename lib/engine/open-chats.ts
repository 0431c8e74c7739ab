/** Which of the customer's conversations is on screen. */
import type { ChatClient } from "../chat-client/client.ts";
import type { Delivery } from "./chat-runtime.ts";
import { type Draft, emptyDraft, isEmptyDraft, joinDrafts, withoutFiles } from "./chats/draft.ts";
import type { Remembered } from "./chats/remembered.ts";
import type { ShownDraft } from "./chats/shown-draft.ts";
import type { ConversationRef } from "./conversation-ref.ts";
import type { ConversationReader } from "./history/conversation-reader.ts";
import { newKey } from "./new-key.ts";
import { recordsOf } from "./outbox/outbox.ts";
import type { OutboxStore } from "./outbox/outbox-store.ts";
import type { ConversationStore } from "./state/conversation-store.ts";
import type { ConversationAction } from "./state/reducer.ts";

export interface OpenChatsDeps {
  client: ChatClient;
  store: ConversationStore;
  remembered: Remembered;
  draft: ShownDraft;
  outbox: OutboxStore;
  reading: ConversationReader;
  delivery: Delivery;
  locale: string;
  publish(conversation: ConversationRef, action: ConversationAction): void;
}

/** The conversation of this chat. For null: the one that was left before it had a chat, or else a new one. */
export function conversationOf(remembered: Remembered, chatId: string | null): ConversationRef {
  return (chatId === null ? remembered.takeUnstarted() : null) ?? { chatId, createKey: newKey() };
}

export function createOpenChats(deps: OpenChatsDeps) {
  const { client, store, remembered, draft, outbox, reading, delivery, locale, publish } = deps;

  /** Shows the outbox records of the conversation on screen. */
  function showOutbox(): void {
    store.dispatch({ type: "outbox_changed", records: recordsOf(outbox.all(), store.getState()) });
  }

  function show(conversation: ConversationRef): void {
    reading.leave();
    draft.show(conversation);
    store.show(conversation);
    store.dispatch({ type: "end_reading" });
    showOutbox();
    // A chat that is prepared and not used stores nothing.
    if (conversation.chatId !== null || remembered.current() !== null)
      remembered.setCurrent(store.getState());
    void reading.readEnd();
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
    draft.loseUploads();
    const moved = [...taken, draft.get()].reduceRight(joinDrafts);
    draft.set(emptyDraft);
    open(null, withoutFiles(moved));
  }

  function resume(): void {
    const current = remembered.current();
    if (current === null) remembered.setCurrent(store.getState());
    else if (current.chatId !== store.getState().chatId) show(current);
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
      openNew: () => open(null, { ...emptyDraft, text: draft.get().text }),
      resume,
      startOver,
      require: requireChat,
    },
    show,
    showOutbox,
  };
}
