/** The browser's memory between pages: the current conversation, chats and drafts, but no sent text. */
import type { Chat } from "../../../../lib/chat-api/chat.ts";
import {
  type ConversationRef,
  conversationName,
  isSameConversation,
} from "../../../../lib/conversation/conversation-ref.ts";
import {
  forget,
  parseChatList,
  parseConversationRef,
  type RememberedChat,
  remember,
} from "../../../../lib/conversation/delivery/chat-list.ts";
import { type Draft, isEmptyDraft, parseDraft } from "../../../../lib/conversation/delivery/draft.ts";
import type { ChatStorage } from "./storage.ts";

export type Remembered = ReturnType<typeof createRemembered>;

export const draftName = (conversation: ConversationRef) => `draft:${conversationName(conversation)}`;

export function createRemembered(storage: ChatStorage) {
  const chats = () => parseChatList(storage.read("chats"));
  const writeChats = (list: readonly RememberedChat[]) => storage.write("chats", JSON.stringify(list));
  const current = () => parseConversationRef(storage.read("current"));
  const write = (name: string, { chatId, createKey }: ConversationRef) =>
    storage.write(name, JSON.stringify({ chatId, createKey }));
  const unstarted = () => parseConversationRef(storage.read("unstarted"));
  const chat = (chatId: string) => chats().find((known) => known.chatId === chatId) ?? null;

  return {
    current,
    setCurrent(conversation: ConversationRef) {
      const left = current();
      if (left?.chatId === null && conversation.chatId !== null) write("unstarted", left);
      write("current", conversation);
    },
    /**
     * The conversation that was left before it had a chat, perhaps with a draft or refused messages. Returned
     * once: the caller shows it.
     */
    takeUnstarted() {
      const left = unstarted();
      storage.write("unstarted", null);
      return left;
    },
    chats,
    chat,
    change: (chatId: string, change: Partial<Omit<RememberedChat, "chatId">>) =>
      writeChats(remember(chats(), chatId, change)),
    /** Takes the chat off the list. If it is on screen, the next page still opens it, with its draft. */
    forget(chatId: string) {
      writeChats(forget(chats(), chatId));
      storage.write(`pages:${chatId}`, null);
    },
    draft: (conversation: ConversationRef) => parseDraft(storage.read(draftName(conversation)), Date.now()),
    setDraft: (conversation: ConversationRef, draft: Draft) =>
      storage.write(draftName(conversation), isEmptyDraft(draft) ? null : JSON.stringify(draft)),
    /** Moves what was stored for a conversation without a chat to its new chat. */
    adopt(conversation: ConversationRef, { id }: Chat) {
      const before = { ...conversation, chatId: null };
      const created = { ...conversation, chatId: id };
      writeChats(remember(chats(), id, { openedAt: Date.now() }));
      const onScreen = current();
      if (onScreen !== null && isSameConversation(onScreen, before)) write("current", created);
      if (unstarted()?.createKey === before.createKey) storage.write("unstarted", null);
      const draft = storage.read(draftName(before));
      if (draft === null) return;
      storage.write(draftName(before), null);
      storage.write(draftName(created), draft);
    },
  };
}
