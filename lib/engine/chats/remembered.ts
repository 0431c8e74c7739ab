/**
 * The browser's memory between pages: the current conversation, drafts, and the IDs, times and states of
 * chats, but no sent text. Chats of other browsers are added if the host keeps a list of its customers'
 * chats. Others can only be reached by their links.
 */
import type { Chat } from "../../chat-api/chat.ts";
import { chatIdPattern, idempotencyKeyPattern } from "../../chat-api/patterns.ts";
import { type ConversationRef, conversationName, isSameConversation } from "../conversation-ref.ts";
import type { ChatStorage } from "../storage/storage.ts";
import { fieldsOf, isRecord, parseJson } from "../storage/stored.ts";
import {
  currentName,
  draftName,
  feedbackName,
  openedName,
  polledName,
  seenName,
  settledName,
  stateName,
  unstartedName,
} from "../storage-names.ts";
import { type Draft, isEmptyDraft, parseDraft } from "./draft.ts";

/**
 * The last time that a `Date` can hold (ECMAScript, "Time Values and Time Range"). The first is its negative.
 */
const latestTime = 8.64e15;

export interface RememberedChat {
  chatId: string;
  /** When it was last on screen, in milliseconds since 1970. */
  openedAt: number;
  /** The last message that was on the customer's screen. */
  seenId: string | null;
  /** True while the team has the chat or has been asked for: the closed panel then keeps polling. */
  awaitsTeam: boolean;
  /** True if the chat was resolved at the last read. Otherwise it may have been closed since. */
  isClosed: boolean;
}

export function parseChat(value: unknown): RememberedChat | null {
  const none = { chatId: "", openedAt: 0, seenId: null, awaitsTeam: false, isClosed: false };
  const chat = fieldsOf<RememberedChat>(value, none);
  if (!chatIdPattern.test(chat.chatId)) return null;
  return { ...chat, openedAt: Math.max(-latestTime, Math.min(chat.openedAt, latestTime)) };
}

export function parseConversationRef(stored: string | null): ConversationRef | null {
  const { chatId, createKey } = fieldsOf<ConversationRef>(parseJson(stored), { chatId: null, createKey: "" });
  if (!idempotencyKeyPattern.test(createKey)) return null;
  return chatId === null || chatIdPattern.test(chatId) ? { chatId, createKey } : null;
}

export type Remembered = ReturnType<typeof createRemembered>;

export const draftOf = (conversation: ConversationRef) => draftName(conversationName(conversation));

const maxChats = 30;

export function createRemembered(storage: ChatStorage) {
  const current = () => parseConversationRef(storage.read(currentName));
  const write = (name: string, { chatId, createKey }: ConversationRef) =>
    storage.write(name, JSON.stringify({ chatId, createKey }));
  const unstarted = () => parseConversationRef(storage.read(unstartedName));

  function chat(chatId: string): RememberedChat | null {
    const openedAt = parseJson(storage.read(openedName(chatId)));
    if (openedAt === null) return null;
    const state = parseJson(storage.read(stateName(chatId)));
    const seenId = storage.read(seenName(chatId));
    return parseChat({ ...(isRecord(state) ? state : {}), chatId, openedAt, seenId });
  }

  /** Latest first. */
  const chats = (): RememberedChat[] =>
    storage
      .names(openedName(""))
      .map((name) => chat(name.slice(openedName("").length)))
      .filter((known) => known !== null)
      .sort((a, b) => b.openedAt - a.openedAt);

  /** The host's list may still name them, if it was read before it has forgotten them, too. */
  const forgotten = new Set<string>();

  function forget(chatId: string): void {
    forgotten.add(chatId);
    for (const name of [openedName, seenName, settledName, stateName, polledName])
      storage.write(name(chatId), null);
    for (const name of storage.names(feedbackName(chatId, ""))) storage.write(name, null);
  }

  function opened(chatId: string, at = Date.now()): void {
    storage.write(openedName(chatId), JSON.stringify(at));
    for (const old of chats().slice(maxChats)) forget(old.chatId);
  }

  /** Notes something of a chat that is on the list. */
  function note(name: (chatId: string) => string, chatId: string, value: string): void {
    if (chat(chatId) !== null) storage.write(name(chatId), value);
  }

  const seen = (chatId: string, messageId: string) => note(seenName, chatId, messageId);

  function changed({ id, mode }: Pick<Chat, "id" | "mode">): boolean {
    const awaitsTeam = mode === "waiting" || mode === "teammate";
    const state = JSON.stringify({ awaitsTeam, isClosed: mode === "resolved" });
    const before = storage.read(stateName(id));
    note(stateName, id, state);
    return before !== null && before !== state;
  }

  return {
    current,
    setCurrent(conversation: ConversationRef) {
      const previous = current();
      if (previous?.chatId === null && conversation.chatId !== null) write(unstartedName, previous);
      write(currentName, conversation);
    },
    /**
     * The conversation that was left before it had a chat, perhaps with a draft or refused messages. Returned
     * once: the caller shows it.
     */
    takeUnstarted() {
      const previous = unstarted();
      storage.write(unstartedName, null);
      return previous;
    },
    chats,
    chat,
    /** Puts the chat on the list, which keeps the latest ones. */
    opened,
    /** Puts the customer's chats of other browsers on the list, in this order, and returns them. */
    add(chatIds: readonly string[]): string[] {
      let at = Date.now();
      return chatIds.filter((chatId) => {
        const known = chat(chatId);
        const isAdded = known === null && !forgotten.has(chatId);
        if (isAdded) opened(chatId, at);
        at = Math.min(at, known?.openedAt ?? at) - 1;
        return isAdded;
      });
    },
    /** The last message that was on the customer's screen. */
    seen,
    /** The chat's state at the last read. Returns true if it is another than at the one before. */
    changed,
    /** Takes the chat off the list. If it is on screen, the next page still opens it, with its draft. */
    forget,
    draft: (conversation: ConversationRef) => parseDraft(storage.read(draftOf(conversation)), Date.now()),
    setDraft: (conversation: ConversationRef, draft: Draft) =>
      storage.write(draftOf(conversation), isEmptyDraft(draft) ? null : JSON.stringify(draft)),
    /** Moves what was stored for a conversation without a chat to its new chat. */
    adopt(conversation: ConversationRef, { id }: Chat) {
      const before = { ...conversation, chatId: null };
      const created = { ...conversation, chatId: id };
      opened(id);
      const onScreen = current();
      if (onScreen !== null && isSameConversation(onScreen, before)) write(currentName, created);
      if (unstarted()?.createKey === before.createKey) storage.write(unstartedName, null);
      const draft = storage.read(draftOf(before));
      if (draft === null) return;
      storage.write(draftOf(before), null);
      storage.write(draftOf(created), draft);
    },
  };
}
