/** What this browser remembers between pages: the conversation on screen, its chats, drafts. All of it without a word that was sent. */
import type { Chat } from "#lib/chat-api/chat.ts";
import {
  forget,
  parseChatList,
  parseConversationRef,
  type RememberedChat,
  remember,
} from "#lib/conversation/chat-list.ts";
import {
  type ConversationRef,
  conversationName,
  isSameConversation,
} from "#lib/conversation/conversation-ref.ts";
import { type Draft, isEmptyDraft, parseDraft } from "#lib/conversation/draft.ts";
import type { ChatStorage } from "./storage.ts";

export interface Remembered {
  current(): ConversationRef | null;
  setCurrent(conversation: ConversationRef): void;
  chats(): RememberedChat[];
  chat(chatId: string): RememberedChat | null;
  change(chatId: string, change: Partial<Omit<RememberedChat, "chatId">>): void;
  forget(chatId: string): void;
  draft(conversation: ConversationRef): Draft;
  setDraft(conversation: ConversationRef, draft: Draft): void;
  /** The conversation's chat exists now: what was remembered without it belongs to it. */
  adopt(conversation: ConversationRef, chat: Chat): void;
}

/** The name in storage of a conversation's draft. */
export const draftName = (conversation: ConversationRef) => `draft:${conversationName(conversation)}`;

export function createRemembered(storage: ChatStorage): Remembered {
  const chats = () => parseChatList(storage.read("chats"));
  const writeChats = (list: readonly RememberedChat[]) => storage.write("chats", JSON.stringify(list));
  const current = () => parseConversationRef(storage.read("current"));
  const setCurrent = ({ chatId, createKey }: ConversationRef) =>
    storage.write("current", JSON.stringify({ chatId, createKey }));
  const chat = (chatId: string) => chats().find((known) => known.chatId === chatId) ?? null;

  return {
    current,
    setCurrent,
    chats,
    chat,
    change: (chatId, change) => writeChats(remember(chats(), chatId, change)),
    forget(chatId) {
      writeChats(forget(chats(), chatId));
      storage.write(`pages:${chatId}`, null);
      if (current()?.chatId === chatId) storage.write("current", null);
    },
    draft: (conversation) => parseDraft(storage.read(draftName(conversation)), Date.now()),
    setDraft: (conversation, draft) =>
      storage.write(draftName(conversation), isEmptyDraft(draft) ? null : JSON.stringify(draft)),
    adopt(conversation, { id }) {
      const unborn = { ...conversation, chatId: null };
      const born = { ...conversation, chatId: id };
      writeChats(remember(chats(), id, { openedAt: Date.now() }));
      const onScreen = current();
      if (onScreen !== null && isSameConversation(onScreen, unborn)) setCurrent(born);
      const draft = storage.read(draftName(unborn));
      if (draft === null) return;
      storage.write(draftName(unborn), null);
      storage.write(draftName(born), draft);
    },
  };
}
