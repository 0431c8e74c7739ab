/** Reads what the conversation on screen shows: its end, what is new, what came before. */
import type { Message } from "#lib/chat-api/message.ts";
import type { ChatClient } from "#lib/chat-client/client.ts";
import type { ConversationRef } from "#lib/conversation/conversation-ref.ts";
import { failureOf } from "#lib/conversation/failure.ts";
import { conversationLimits } from "#lib/conversation/limits.ts";
import type { ConversationAction } from "#lib/conversation/reducer.ts";
import type { Alarm } from "./alarm.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { createHistoryReader, type HistoryReader, type ReadMessages } from "./history-reader.ts";
import { createReadLatest } from "./latest-messages.ts";
import type { Remembered } from "./remembered.ts";
import type { Session } from "./session.ts";
import type { ChatStorage } from "./storage.ts";

export interface ConversationReaderDeps {
  client: Pick<ChatClient, "getChat" | "listMessages">;
  session: Session;
  storage: ChatStorage;
  store: ConversationStore;
  remembered: Remembered;
  alarm: Alarm;
  /** Applies the action to the conversation in all tabs. */
  publish(conversation: ConversationRef, action: ConversationAction): void;
}

export interface ConversationReader {
  /** The conversation on screen leaves it: what is still read for it is not shown in the next one. */
  leave(): void;
  /** Reads the end of the conversation on screen. Never rejects. */
  readEnd(): Promise<void>;
  /** The latest messages of a conversation, on screen or not, for a message of it whose outcome is unknown. */
  readNews(conversation: ConversationRef): Promise<readonly Message[]>;
  /** The next step towards the past; asked for twice at once, it is taken once. Never rejects. */
  loadOlder(): Promise<void>;
  /** One poll: messages, and now and then the chat's state. Rejects when that fails. */
  sync(): Promise<void>;
  /** Polls now, and a few times more until there are news. */
  syncSoon(): Promise<void>;
}

export function createConversationReader(deps: ConversationReaderDeps): ConversationReader {
  const { client, session, storage, store, remembered, alarm, publish } = deps;
  /** Of the conversation on screen; null until it has a chat. Replaced when another one is shown. */
  let reader: HistoryReader | null = null;
  /** Counts the conversations shown: what was asked for an earlier one is not shown in a later one. */
  let shown = 0;
  /** Polls since the chat on screen was shown. */
  let polls = 0;
  /** The step towards the past that is under way in the chat on screen. */
  let stepping: Promise<void> | null = null;

  const readLatest = createReadLatest(session);
  const newReader = (id: string) => createHistoryReader({ client, readLatest, chatId: id, storage });

  function readerOfScreen(id: string): HistoryReader {
    reader ??= newReader(id);
    return reader;
  }

  function leave(): void {
    shown += 1;
    polls = 0;
    reader = null;
    stepping = null;
  }

  async function readEnd(): Promise<void> {
    const { chatId: id } = store.getState();
    if (id === null) return;
    const showing = shown;
    reader = newReader(id);
    try {
      const [chat, end] = await Promise.all([client.getChat(id), reader.readEnd()]);
      if (showing !== shown) return;
      store.dispatch({ type: "end_read", ...end, seenId: remembered.chat(id)?.seenId ?? null });
      remembered.change(id, { openedAt: Date.now() });
      publish(store.getState(), { type: "chat_read", chat });
    } catch (error) {
      // Left meanwhile, perhaps because another customer has come: to that one the chat is unknown.
      if (showing !== shown) return;
      const failure = failureOf(error);
      if (failure.code === "chat_not_found") remembered.forget(id);
      store.dispatch({ type: "end_failed", failure });
    }
  }

  async function readNews({ chatId: id }: ConversationRef): Promise<readonly Message[]> {
    if (id === null) return [];
    const { chatId: idOnScreen, history } = store.getState();
    const showing = shown;
    // News are what follows the end: until that is on screen, it is read for itself.
    if (idOnScreen === id && history.state === "ready") {
      await readScreenNews(true);
      // Else another conversation has come on screen meanwhile.
      if (showing === shown) return store.getState().messages;
    }
    return (await newReader(id).readEnd()).messages;
  }

  async function readScreenNews(withChat: boolean): Promise<void> {
    const { chatId: id } = store.getState();
    if (id === null) return;
    const showing = shown;
    try {
      const [messages, chat] = await Promise.all([
        readerOfScreen(id).readNews(),
        withChat ? client.getChat(id) : null,
      ]);
      if (showing !== shown) return;
      const before = store.getState();
      publish(before, { type: "news_read", messages });
      if (chat !== null) publish(before, { type: "chat_read", chat });
      // A message may come with a change of the chat: a teammate who joined, the team's closing it.
      else if (store.getState().messages !== before.messages) await readScreenNews(true);
    } catch (error) {
      if (showing === shown) store.dispatch({ type: "sync_failed", failure: failureOf(error) });
      throw error;
    }
  }

  function loadOlder(): Promise<void> {
    if (stepping !== null) return stepping;
    const step = readOlder().finally(() => {
      if (stepping === step) stepping = null;
    });
    stepping = step;
    return step;
  }

  async function readOlder(): Promise<void> {
    const { chatId: id, history } = store.getState();
    if (id === null || !history.hasOlder) return;
    const showing = shown;
    store.dispatch({ type: "older_reading" });
    try {
      const known = new Set(store.getState().messages.map((message) => message.id));
      const isKnown = ({ messages }: ReadMessages) => messages.every((message) => known.has(message.id));
      const its = readerOfScreen(id);
      let older = await its.readOlder();
      // Stale cursors let the end be read anew: from there on to what is not on screen yet.
      for (
        let page = 0;
        older.hasOlder && isKnown(older) && page < conversationLimits.pagesPassed && showing === shown;
        page += 1
      ) {
        older = await its.readOlder();
      }
      if (showing === shown) store.dispatch({ type: "older_read", ...older });
    } catch (error) {
      if (showing === shown) store.dispatch({ type: "older_failed", failure: failureOf(error) });
    }
  }

  async function sync(): Promise<void> {
    const withChat = polls % conversationLimits.pollsPerChatRead === 0;
    polls += 1;
    await readScreenNews(withChat);
  }

  const lastMessageId = () => store.getState().messages.at(-1)?.id ?? null;

  async function syncSoon(): Promise<void> {
    const showing = shown;
    const before = lastMessageId();
    for (const wait of [0, ...conversationLimits.newsWaits]) {
      await alarm.sleep(wait);
      if (showing !== shown) return;
      await readScreenNews(true);
      if (lastMessageId() !== before) return;
    }
  }

  return { leave, readEnd, readNews, loadOlder, sync, syncSoon };
}
