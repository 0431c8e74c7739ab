/** One owner's chats: what this tab sends, reads and stores in their name. */
import { errorRules } from "../chat-api/errors.ts";
import type { FeedbackBody } from "../chat-api/feedback.ts";
import type { Fetch } from "../chat-client/connection.ts";
import { type Draft, emptyDraft, isEmptyDraft, joinDrafts, withoutFiles } from "./chats/draft.ts";
import { createRemembered } from "./chats/remembered.ts";
import { type ConversationRef, isSameConversation } from "./conversation-ref.ts";
import { createDeliveryLoop } from "./delivery/delivery-loop.ts";
import { knownChat } from "./delivery/new-chat.ts";
import { createOutgoing } from "./delivery/outgoing.ts";
import { repeatWrite } from "./delivery/repeat-write.ts";
import type { Failure } from "./failure.ts";
import { createFeedback } from "./feedback/feedback.ts";
import { createForms } from "./forms/forms.ts";
import { createConversationReader } from "./history/conversation-reader.ts";
import { createSync } from "./history/sync.ts";
import { createBrowserClient, createOwnerFetch } from "./identity/browser-client.ts";
import { request } from "./identity/request.ts";
import { guestOwner } from "./identity/session.ts";
import { takeLeftBehind } from "./left-behind.ts";
import { newKey } from "./new-key.ts";
import { type OutboxRecord, recordsOf } from "./outbox/outbox.ts";
import { createOutboxStore, isOutboxEntry } from "./outbox/outbox-store.ts";
import type { OwnerOptions } from "./owner-parts.ts";
import { createPauses } from "./pauses.ts";
import { eventsOf } from "./state/events.ts";
import { isIn } from "./state/messages.ts";
import type { ConversationAction } from "./state/reducer.ts";
import type { ConversationState } from "./state/state.ts";
import { changedName, feedbackNames, polledName, seenName, settledName } from "./storage-names.ts";
import type { Unsent } from "./unsent.ts";
import { browserUntil, storageUntil, storeUntil } from "./until.ts";
import { createChoice } from "./uploads/choice.ts";
import { createShownDraft } from "./uploads/shown-draft.ts";
import { createUploads } from "./uploads/uploads.ts";

/**
 * Milliseconds in which the tab that has stored a message gets into the queue of the lock to send it.
 * WebKitGTK on a busy machine takes nearly one second.
 */
const otherTabFirst = 2_000;

/** The conversation that an owner begins with, and what is taken over from before. */
export interface Beginning {
  /** A chat to open instead of the last one on screen; null for a new one, undefined for no preference. */
  chatId?: string | null | undefined;
  /** The chat to open if none is stored: the customer has cleared the browser's storage. */
  lastChatId?: string | undefined;
  /** The customer's chats on all devices, the latest first. */
  chatIds?: readonly string[] | undefined;
  /** The key of a conversation without a chat, if none is stored. */
  createKey: string;
  unsent: Unsent | null;
}

export function createOwnerChats(ofChat: OwnerOptions, beginning: Beginning) {
  const { chatId, lastChatId, chatIds = [], createKey, unsent } = beginning;
  const closing = new AbortController();
  const { signal } = closing;
  const { owner, session, failureOf, tell } = ofChat;
  const browser = browserUntil(signal, ofChat.browser);
  const storage = storageUntil(signal, ofChat.storages.of(owner));
  const store = storeUntil(signal, ofChat.store);
  const remembered = createRemembered(storage);
  const pauses = createPauses(signal);
  const send = browser.fetch;
  const clientWith = (sender: Fetch) => createBrowserClient({ session, owner, send: sender, signal });
  const client = clientWith(send);
  const outbox = createOutboxStore(storage, showOutbox);
  const shared = {
    ...ofChat,
    browser,
    storage,
    store,
    signal,
    tab: storageUntil(signal, ofChat.storages.tab),
    send,
    client,
    outbox,
    remembered,
    pauses,
    sleep: pauses.sleep,
    isOnline: browser.isOnline,
    publish,
    apply,
    showEnd,
    onGone,
  };
  const reading = createConversationReader(shared);
  const delivery = createDeliveryLoop({
    ...shared,
    readNews: reading.readNews,
    syncSoon: reading.syncSoon,
    messagesOf: (conversation) =>
      isSameConversation(conversation, store.conversation()) ? store.conversation().messages : [],
    startSession: session.start,
  });
  const { sendDue } = delivery;
  const outgoing = createOutgoing({ ...shared, reading, sendDue });
  const draft = createShownDraft(shared);
  const uploads = createUploads({ ...shared, draft, clientWith, delivery });
  const choice = createChoice({ ...shared, draft, uploads });
  const forms = createForms({ ...shared, syncSoon: reading.syncSoon });
  const ownerFetch = createOwnerFetch(shared);
  const feedback = createFeedback({ ...shared, api: session.api, send: ownerFetch });

  const [added] = remembered.add(chatIds);
  /** The latest chat, if it was begun on another device since this page's last one. */
  const elsewhere = chatId === undefined && added === chatIds[0] ? added : undefined;
  const here = remembered.current();
  const last = chatId === undefined ? lastConversation() : null;
  /** A request for it may have reached the server, so its chat is created under the same key. */
  const attempted = unsent?.records.find((record) => record.attempted);
  const initial =
    attempted ?? last ?? conversationOf((chatId === undefined ? lastChatId : chatId) ?? null, createKey);
  for (const record of unsent?.records ?? []) outbox.put(attempted ? record : inChat(record, initial));
  store.enter(owner, { chatId: initial.chatId, createKey: initial.createKey });
  show(initial, true);
  /** The stored draft's text. It comes from an earlier page, possibly of another customer. */
  const oldText = draft.get().text;
  if (unsent && !isEmptyDraft(unsent.draft)) draft.set(joinDrafts(draft.get(), unsent.draft));
  if (unsent && unsent.files.length > 0) choice.upload(unsent.files);
  const poll = createSync({ ...shared, reading });
  storage.onChange((name) => {
    if (name.startsWith(polledName(""))) return;
    draft.onStored(name);
    if (name.startsWith(feedbackNames) && takesFeedback()) feedback.show();
    void followTab(name);
    // Another tab may have created their chat.
    delivery.sendOwn();
    // Queues for the other tab's messages: if it closes, this tab delivers them. The tab in which the
    // customer has pressed Send comes first, also with a message that it stores during the pause. Any other
    // event tells that a storage works which was blocked for a while.
    const due = delivery.due();
    void pauses.sleep(otherTabFirst, "time").then(() => sendDue(due));
  });
  // What a storage that was blocked for a while has kept.
  browser.on("return", () => sendDue());
  browser.on("online", () => {
    pauses.wake("network");
    uploads.onOnline();
    if (takesFeedback()) feedback.sendLeft();
    sendDue();
  });
  /** The messages among which the last one seen in any tab was last looked for. */
  let compared = store.conversation().messages;
  store.follow(onState);
  onState();
  sendDue();
  // Only the server knows that the guest has signed in.
  const isNamed = session.customer() !== null && owner !== guestOwner;
  if (isNamed) takeLeftBehind({ ...shared, left: ofChat.storages.of(guestOwner), draft });

  /**
   * The last conversation on screen; null for none. The latest chat of another device comes before it, but
   * not before what the customer has written here and not sent.
   */
  function lastConversation(): ConversationRef | null {
    return elsewhere === undefined || (here !== null && isWritten(here))
      ? here
      : { chatId: elsewhere, createKey };
  }

  function isWritten(conversation: ConversationRef): boolean {
    return !isEmptyDraft(remembered.draft(conversation)) || recordsOf(outbox.all(), conversation).length > 0;
  }

  /**
   * Forgets the chat on this browser alone: the host may list chats of another agent, or the server may have
   * another channel's key for a while. One that the host lists becomes the last of this browser's list, so
   * that the next page does not open it. In place of the latest one of another device, the last one here
   * opens.
   */
  function onGone(id: string): boolean {
    if (!chatIds.includes(id)) remembered.forget(id);
    else remembered.opened(id, (remembered.chats().at(-1)?.openedAt ?? Date.now()) - 1);
    if (id !== elsewhere || isWritten(store.conversation())) return false;
    show(here ?? conversationOf(null, newKey()));
    return true;
  }

  /** Takes the chat off the list, on the customer's other devices, too, if the host keeps one. */
  function forget(id: string): void {
    remembered.forget(id);
    if (session.customer()?.chatIds === undefined) return;
    const address = `${session.api}/chats/${id}/listed`;
    // After a failure that lasts the list names it again.
    const attempt = () => request(ownerFetch, address, { method: "DELETE", like: "getChat" });
    repeatWrite(shared, attempt).catch(failureOf);
  }

  /** True once the server has said so. */
  function takesFeedback(): boolean {
    return store.getState().feedback !== null;
  }

  function onState(): void {
    if (signal.aborted) return;
    outgoing.onState();
    choice.onState();
    forms.onState();
    const { chatId: id, messages } = store.conversation();
    // The customer may have seen a message in another tab before this one has read it.
    if (id !== null && messages !== compared) showSeen(id);
    compared = messages;
    if (session.customer()?.takesFeedback && !takesFeedback()) {
      feedback.show();
      feedback.sendLeft();
    }
    poll();
    store.set({ isLasting: storage.isLasting() });
  }

  /** Lets other tabs read the chat on screen again, and says what this one knows of it. */
  function tellTabs(): void {
    const { chatId: id, chat, messages } = store.conversation();
    storage.write(changedName, [id, Date.now(), messages.at(-1)?.id, chat?.updatedAt].join(" "));
    store.set({ leads: true });
  }

  /** The latest news of any tab. Earlier builds tell the ID and the time alone. */
  function told() {
    const [id, , lastId, updatedAt] = storage.read(changedName)?.split(" ") ?? [];
    return { id, lastId, updatedAt };
  }

  /** A read may find what is later than what the tab that has told of a change knows. It may not poll. */
  function knowsMore(): boolean {
    const { id, lastId, updatedAt } = told();
    const { chatId: shownId, chat, messages } = store.conversation();
    if (id !== shownId) return false;
    const isLaterState = Boolean(updatedAt) && chat !== null && chat.updatedAt > `${updatedAt}`;
    return isLaterState || (isIn(messages, lastId) && messages.at(-1)?.id !== lastId);
  }

  /** Follows what another tab has stored. */
  async function followTab(name: string): Promise<void> {
    if (name === changedName) store.set({ leads: false });
    const { chatId: id, createKey, pending } = store.conversation();
    if (id === null) {
      const created = knownChat(shared, createKey);
      if (created !== null) store.dispatch({ type: "chat_found", chatId: created });
    }
    // Listed before it leaves the outbox: a delivered message does not vanish meanwhile.
    const gone = pending
      .map(({ record }) => record)
      .filter(({ key, refusal }) => isOutboxEntry(name) && refusal === null && outbox.find(key) === null);
    for (const record of gone) outbox.leaving.set(record.key, record);
    if (isOutboxEntry(name)) showOutbox();
    const isChanged = name === changedName && told().id === id;
    if (gone.length > 0 || isChanged || store.conversation().chatId !== id) await reading.readAgain();
    for (const { key } of gone) outbox.leaving.delete(key);
    if (isChanged && knowsMore()) tellTabs();
    if (gone.length > 0) showOutbox();
    if (id !== null && name === seenName(id)) showSeen(id);
  }

  /** Follows what the customer has seen in another tab, which may know later messages than this one. */
  function showSeen(id: string): void {
    const { chatId: shownId, messages, history, ...before } = store.conversation();
    const seenId = remembered.chat(id)?.seenId;
    if (!seenId || seenId === before.seenId || id !== shownId) return;
    const latest = history.hasOlder ? undefined : messages.at(-1)?.id;
    const messageId = isIn(messages, seenId) ? seenId : latest;
    if (messageId !== undefined) store.dispatch({ type: "seen", messageId });
  }

  /** Applies the action and remembers its chat's state. Returns true if another one was remembered. */
  function apply(conversation: ConversationRef, action: ConversationAction): boolean {
    store.apply(conversation, action);
    const { chat } = { chat: null, ...action, ...(action.type === "turn_done" && action.turn) };
    // A repeated turn carries the chat as it was at the first answer.
    return chat !== null && remembered.changed(store.chatOf(conversation) ?? chat);
  }

  function publish(conversation: ConversationRef, action: ConversationAction): void {
    if (!signal.aborted) store.batch(() => publishOne(conversation, action));
  }

  function publishOne(conversation: ConversationRef, action: ConversationAction): void {
    const before = store.conversation();
    const isOther = apply(conversation, action) && isSameConversation(before, conversation);
    const after = store.conversation();
    const isAnswered = action.type === "collection_read" && action.ended !== undefined;
    // The first read of a chat is no change of it, unless another tab has known another state.
    const isChatChanged = before.chat === null ? isOther : after.chat !== before.chat;
    if (isAnswered || isChatChanged || after.messages !== before.messages) tellTabs();
    if (isSameConversation(before, conversation))
      for (const event of eventsOf(before, after, action)) tell(event);
    // A message may lose the chat of another conversation.
    if (action.type === "restarted" && isSameConversation(before, conversation)) {
      remembered.setCurrent(after);
      // Uploads continue if there was no chat that they could have gone to.
      if (action.isGone) choice.endUploads();
      draft.set(draft.get());
    }
    // The channel may start with a greeting.
    if (action.type === "chat_created" && isSameConversation(after, conversation))
      void reading.readBeginning();
    const isNews = action.type === "news_read" && after.messages !== before.messages;
    // A waiting message may be waiting for the reply that was just seen.
    if (action.type === "turn_done" || isNews) pauses.wake("news");
  }

  /**
   * If the failure says that the chat is closed or deleted, shows this at once and reads the chat again: it
   * may be open after all. Returns false for other failures.
   */
  function showEnd(conversation: ConversationState, failure: Failure): boolean {
    const { chat } = conversation;
    const { ends } = errorRules[failure.code];
    if (ends === "gone") publish(conversation, { type: "sync_failed", failure });
    else if (ends !== "closed") return false;
    else if (chat !== null) publish(conversation, { type: "chat_read", chat: { ...chat, mode: "resolved" } });
    void reading.syncSoon(conversation);
    return true;
  }

  /** Shows the outbox records of the conversation on screen. */
  function showOutbox(): void {
    const records = recordsOf([...outbox.leaving.values(), ...outbox.all()], store.conversation());
    const { chatId: id } = store.conversation();
    const settledId = id === null ? null : storage.read(settledName(id));
    store.dispatch({ type: "outbox_changed", records, settledId });
  }

  /** The message as one of this conversation, which the customer has seen up to there. */
  function inChat(record: OutboxRecord, { chatId: id, createKey: key }: ConversationRef): OutboxRecord {
    const seenId = id === null ? null : (remembered.chat(id)?.seenId ?? null);
    return { ...record, chatId: id, createKey: key, afterMessageId: seenId };
  }

  /** The conversation of this chat. For null: the one that was left before it had a chat, else a new one. */
  function conversationOf(id: string | null, key: string): ConversationRef {
    return (id === null ? remembered.takeUnstarted() : null) ?? { chatId: id, createKey: key };
  }

  function show(conversation: ConversationRef, isFirst = false): void {
    reading.leave();
    // If the same conversation is only read again, its uploads continue.
    if (!isFirst && !isSameConversation(conversation, store.conversation())) choice.endUploads();
    if (!isFirst) store.show(conversation);
    draft.show(conversation);
    forms.show(conversation);
    if (takesFeedback()) feedback.show();
    showOutbox();
    remembered.setCurrent(store.conversation());
    store.dispatch({ type: "end_reading" });
    void reading.readEnd();
  }

  function open(id: string | null, taken: Draft = emptyDraft): void {
    const conversation = conversationOf(id, newKey());
    if (id === null) moveRefused(conversation.createKey);
    if (!isEmptyDraft(taken))
      remembered.setDraft(conversation, joinDrafts(remembered.draft(conversation), taken));
    show(conversation);
  }

  /** A conversation without a chat cannot be reopened, so its refused messages move to the new one. */
  function moveRefused(to: string): void {
    for (const record of recordsOf(outbox.all(), store.conversation()))
      if (record.chatId === null && record.refusal !== null) outbox.update(record.key, { createKey: to });
  }

  return {
    client,
    wake: pauses.wake,
    failureOf,
    publish,
    remembered,
    forget,
    outgoing,
    draft,
    choice,
    uploads,
    forms,
    rate(one: FeedbackBody) {
      const { chatId: id } = store.conversation();
      if (id !== null && takesFeedback()) feedback.rate(id, one);
    },
    reading,
    /** Called after every start of the session. */
    onSessionEnd() {
      if (!signal.aborted) reading.showService();
    },
    open: (id: string) => open(id),
    /** Copies the draft's text. Its files stay with their chat. */
    openNew: () => open(null, { ...emptyDraft, text: draft.get().text }),
    startOver() {
      const refused = store.conversation().pending.filter(({ record }) => record.refusal !== null);
      const taken = refused.map(({ record }) => outgoing.takeBack(record.key));
      choice.endUploads();
      const moved = [...taken, draft.get()].reduceRight(joinDrafts);
      draft.set(emptyDraft);
      open(null, withoutFiles(moved));
    },
    reload() {
      const again = () => show(store.conversation());
      if (session.refusal() === null) again();
      // Another failure is shown when the start ends.
      else session.start().then(again, () => undefined);
    },
    markSeen(messageId: string) {
      const { chatId: id, seenId, newIds } = store.conversation();
      if (id === null || (seenId === messageId && newIds.length === 0)) return;
      store.dispatch({ type: "seen", messageId });
      remembered.seen(id, messageId);
    },
    /** Closes, removes and returns the unsent content. That of another page stays stored. */
    closeAndTake(): Unsent {
      const files = choice.takeFiles();
      // The records keep their keys, so a request that reached the server is not applied twice. Their chat
      // may belong to someone else and stays behind.
      const records = outbox.all().filter(({ key }) => outbox.isOfPage(key));
      for (const { key } of records) outbox.remove(key);
      const now = draft.get();
      const isOld = oldText !== "" && now.text.includes(oldText);
      const text = isOld ? "" : now.text;
      if (text !== "") remembered.setDraft(store.conversation(), { ...now, text: "" });
      closing.abort();
      return {
        draft: { ...emptyDraft, text },
        files,
        records: records.map(({ refusal, ...record }) => {
          // The end of the chat that stays behind is not the end of the one that follows.
          const ends = refusal && errorRules[refusal.code].ends;
          const isOfChat = ends === "full" || ends === "closed" || ends === "gone";
          return { ...record, chatId: null, afterMessageId: null, refusal: isOfChat ? null : refusal };
        }),
      };
    },
    close() {
      choice.endUploads();
      closing.abort();
    },
  };
}

export type OwnerChats = ReturnType<typeof createOwnerChats>;
