import { localeTag } from "../chat-api/locale.ts";
import { operationPath } from "../chat-api/operations.ts";
import { hasVisibleText, toStorableText } from "../chat-api/text.ts";
import { pageBrowser } from "./browser/page-browser.ts";
import type { ChatEngine, ChatOptions } from "./chat.ts";
import { emptyDraft, joinDrafts, withoutFiles } from "./chats/draft.ts";
import { readMissed } from "./chats/missed.ts";
import { readSummary } from "./chats/summary.ts";
import { createFailureOf } from "./failure.ts";
import { isFileGone, readFile } from "./files/read-file.ts";
import { readWholeChat } from "./history/whole-chat.ts";
import { createSession, guestOwner, type NamedCustomer, ownerOf } from "./identity/session.ts";
import { newKey } from "./new-key.ts";
import { createOwnerChats, type OwnerChats } from "./owner-chats.ts";
import { isAgreed, readPreferences, writePreferences } from "./preferences.ts";
import { awaitsFiles } from "./state/attachments.ts";
import { isSendable } from "./state/selectors.ts";
import { type ConversationState, emptyConversation } from "./state/state.ts";
import { type ChatStore, createChatStore } from "./state/store.ts";
import { createStorages, type Storages } from "./storage/storage.ts";
import { browserOwner, consentName } from "./storage-names.ts";
import { createTabs } from "./tabs/tabs.ts";
import { createUnsent, type Unsent } from "./unsent.ts";
import { browserUntil, storeUntil, until } from "./until.ts";

/** Creates the chat of a page. */
export function createChat({
  api,
  locale: firstLocale,
  consent: firstVersion = null,
  onEvent,
  onError,
  browser: given = pageBrowser(),
}: ChatOptions): ChatEngine {
  const failureOf = createFailureOf(onError);
  const closing = new AbortController();
  const { signal } = closing;
  const browser = browserUntil(signal, given);
  let locale = firstLocale;
  const storages = createStorages(browser, api, signal);
  const tabs = createTabs(browser, api, signal);
  const session = createSession({
    browser,
    storages,
    tabs,
    api,
    onCustomer,
    onEnd: () => chats?.onSessionEnd(),
  });
  const store = storeUntil(signal, createChatStore(beforeTheAnswer(storages), { browser, failureOf }));
  const shared = {
    storages,
    browser,
    tabs,
    session,
    store,
    locale: () => localeTag(locale),
    failureOf,
    tell: guarded(onEvent),
  };
  const unsent = createUnsent(store, storages.tab, shared.locale);
  /** The owner's chats; null until the server has named them or does not answer. */
  let chats: OwnerChats | null = null;
  /** Where the customer's text, files and messages go. */
  const writing = () => chats ?? unsent;
  let hasStarted = false;
  /** The server has named the owner; until then, what the customer writes moves to the owner it names. */
  let isConfirmed = false;
  /** The chat that the page or a link has asked for before the answer; null for a new one. */
  let requestedChatId: string | null | undefined;
  /** The draft's text after the page's latest proposal, and before it. */
  let proposed = { text: "", before: "" };
  /** The version of the host's text that the customer must agree to; null for none. */
  let consentVersion = firstVersion;

  /** Calls a function of the host: what it throws stops nothing. */
  function guarded<A extends unknown[]>(act: ((...args: A) => void) | undefined) {
    return (...args: A): void => {
      try {
        act?.(...args);
      } catch (error) {
        failureOf(error);
      }
    };
  }

  function enter(
    owner: string,
    taken: Unsent | null,
    known?: Pick<NamedCustomer, "lastChatId" | "chatIds">,
  ): void {
    const beginning = { chatId: requestedChatId, createKey: newKeyFor(store), unsent: taken };
    chats = createOwnerChats({ ...shared, owner }, { ...known, ...beginning });
  }

  function leave(): Unsent | null {
    if (!isConfirmed) return chats?.closeAndTake() ?? unsent.take();
    chats?.close();
    return null;
  }

  function onCustomer(customer: NamedCustomer): void {
    if (signal.aborted) return;
    const owner = ownerOf(customer);
    // Other tabs receive the change, and ask the server. A guest is stored too: a page without this code
    // removes the entry to tell other tabs of a sign-in.
    if (owner !== storages.owner()) storages.setOwner(owner);
    // At once: requests of the former owner's chat must not go out in the new owner's name.
    const { chatIds = [] } = customer;
    if (owner === store.getState().owner) chats?.remembered.add(chatIds);
    else {
      const taken = leave();
      store.batch(() => enter(owner, taken, customer));
    }
    isConfirmed = true;
    requestedChatId = undefined;
    storages.clearDraftsOfOthers(owner);
  }

  function askServer(): void {
    if (!hasStarted) return;
    // Without an answer the chat continues as the last known owner's: its requests show what is wrong.
    session.start().catch(() => {
      if (!signal.aborted && store.getState().owner === null)
        store.batch(() => enter(storages.owner() ?? guestOwner, leave()));
    });
  }

  /** Removes these messages from the outbox and joins them with the draft. */
  function takeBack(keys: readonly string[], isWithoutFiles: boolean): void {
    if (chats === null) return;
    for (const key of keys.toReversed()) {
      const taken = chats.outgoing.takeBack(key);
      chats.draft.set(joinDrafts(chats.draft.get(), isWithoutFiles ? withoutFiles(taken) : taken));
    }
  }

  const fileUrl: ChatEngine["fileUrl"] = ({ chatId, id }) =>
    api + operationPath("downloadFile", { chatId, fileId: id });

  /**
   * Adds a text to the draft: what the customer has typed stays, and so does a text that the draft ends with.
   */
  function addText(text: string): void {
    const { draft: shown } = writing();
    const draft = shown.get();
    if (draft.text.endsWith(text)) return;
    const before = draft.text === proposed.text ? proposed.before : draft.text;
    const joined = joinDrafts({ ...emptyDraft, text }, { ...draft, text: before });
    proposed = { text: joined.text, before };
    shown.set(joined);
  }

  const hasConsent = () => store.getState().hasConsent;

  function readConsent(): void {
    store.set({ hasConsent: isAgreed(storages, consentVersion) });
  }

  function sendDraft(): boolean {
    const { draft, conversation } = store.getState();
    if (!isSendable(draft, conversation) || awaitsFiles(store.getState())) return false;
    const { outgoing, draft: shown, choice } = writing();
    outgoing.send({ ...draft, text: toStorableText(draft.text) });
    shown.clear();
    choice.clearAttached();
    return true;
  }

  readConsent();
  browser.on("return", askServer);
  storages.onOwner(askServer);
  // Another tab's agreement.
  storages.of(browserOwner).onChange(readConsent);

  const actions: Omit<ChatEngine, "getState" | "subscribe"> = {
    start() {
      hasStarted = true;
      // A reload before the answer loses nothing.
      if (chats === null && !signal.aborted) unsent.keep();
      askServer();
    },
    peek(onUnread) {
      if (storages.owner() !== null && !signal.aborted)
        readMissed(shared, until(signal, guarded(onUnread))).catch(failureOf);
    },
    setLocale(next) {
      locale = next;
    },
    setConsent(version) {
      consentVersion = version;
      readConsent();
    },
    agree() {
      if (consentVersion !== null) storages.of(browserOwner).write(consentName, consentVersion);
      readConsent();
    },
    setText(text) {
      const { draft } = writing();
      draft.set({ ...draft.get(), text });
    },
    addText,
    send(text) {
      if (signal.aborted) return false;
      if (text === undefined) return hasConsent() && sendDraft();
      const message = { text: toStorableText(text), files: [] };
      if (!hasVisibleText(message.text)) return false;
      if (hasConsent() && isSendable(message, store.getState().conversation)) {
        writing().outgoing.send(message);
        return true;
      }
      addText(text);
      return false;
    },
    retry(keys) {
      if (hasConsent()) for (const key of keys) chats?.outgoing.retry(key);
    },
    tryNow: () => chats?.wake("network"),
    withdraw: (key) => void chats?.outgoing.takeBack(key),
    edit: (keys, { withoutFiles: isWithoutFiles = false } = {}) => takeBack(keys, isWithoutFiles),
    stop: () => chats?.publish(store.conversation(), { type: "stop_showing" }),
    attach(files) {
      const { choice } = writing();
      if (hasConsent()) choice.attach(files);
      else choice.nameLost(files);
    },
    retryUpload(key) {
      if (hasConsent()) chats?.uploads.retry(key);
    },
    detach: (attachment) => writing().choice.detach(attachment),
    answerForm: (fieldId, text) => chats?.forms.type(fieldId, text),
    submitForm: () => chats?.forms.submit() ?? new Map(),
    skipForm: () => chats?.forms.end("skip"),
    cancelForm: () => chats?.forms.end("cancel"),
    retryForm: () => chats?.forms.retry(),
    readForm: () => chats?.forms.readAgain(),
    setOfferEmail: (email) => chats?.forms.typeEmail(email),
    acceptOffer: (offer) => chats?.forms.accept(offer) ?? false,
    dismissOfferFailure: () => chats?.forms.dismissFailure(),
    openChat(chatId) {
      if (!isConfirmed) requestedChatId = chatId;
      if (chatId !== store.conversation().chatId) (chats?.open ?? unsent.show)(chatId);
    },
    newChat() {
      if (!isConfirmed) requestedChatId = null;
      if (chats !== null) chats.openNew();
      else if (store.conversation().chatId !== null) unsent.show(null);
    },
    startOver: () => chats?.startOver(),
    chats: () => chats?.remembered.chats() ?? [],
    forgetChat: (chatId) => chats?.forget(chatId),
    readSummary: async (chat, signal) =>
      chats === null ? { state: "failed" } : readSummary(chats, chat, signal),
    reload: () => chats?.reload(),
    loadOlder: async () => chats?.reading.loadOlder(),
    transcript: async () => chats && readWholeChat(chats, store),
    markSeen: (messageId) => chats?.markSeen(messageId),
    markLookedAt: () => store.dispatch({ type: "looked_at" }),
    rate: (feedback) => chats?.rate(feedback),
    fileUrl,
    readFile: (file) => readFile(browser.fetch, fileUrl(file)),
    isFileGone: (file) => isFileGone(browser.fetch, fileUrl(file)),
    failureOf,
    preferences: () => readPreferences(storages),
    setPreferences: (preferences) => writePreferences(storages, preferences),
    close() {
      chats?.close();
      closing.abort();
    },
  };
  return { ...eachIn(store.batch, actions), getState: store.getState, subscribe: store.subscribe };
}

/** The actions, each of which changes the state at once: subscribers hear of it once. */
function eachIn<T extends object>(batch: ChatStore["batch"], actions: T): T {
  const batched = Object.entries(actions).map(([name, act]) => [
    name,
    (...args: unknown[]) => batch(() => act(...args)),
  ]);
  return Object.fromEntries(batched);
}

/** A customer who has used the chat here before sees that their chat is being loaded. */
function beforeTheAnswer(storages: Storages): ConversationState {
  const conversation = emptyConversation({ chatId: null, createKey: newKey() });
  if (storages.owner() === null) return conversation;
  return { ...conversation, history: { ...conversation.history, state: "reading" } };
}

/** An owner begins with the conversation on screen, if that has no chat and nothing else is stored. */
function newKeyFor(store: ChatStore): string {
  const { owner, conversation } = store.getState();
  return owner === null && conversation.chatId === null ? conversation.createKey : newKey();
}
