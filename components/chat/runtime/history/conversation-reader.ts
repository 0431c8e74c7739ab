/** Reads the messages of the conversation on screen: its end, news, and earlier pages. */
import type { ChatClient } from "../../../../lib/chat-client/client.ts";
import type { ConversationRef } from "../../../../lib/conversation/conversation-ref.ts";
import type { Listing } from "../../../../lib/conversation/delivery/delivery.ts";
import { askedUntil, type Failure, failureOf } from "../../../../lib/conversation/failure.ts";
import { conversationLimits } from "../../../../lib/conversation/limits.ts";
import type { ConversationAction } from "../../../../lib/conversation/state/reducer.ts";
import { modeOf } from "../../../../lib/conversation/state/selectors.ts";
import type { Alarm } from "../alarm.ts";
import type { Remembered } from "../storage/remembered.ts";
import type { ChatStorage } from "../storage/storage.ts";
import type { ConversationStore } from "../tabs/conversation-store.ts";
import type { Session } from "../tabs/session.ts";
import { createHistoryReader, type HistoryReader, type ReadMessages } from "./history-reader.ts";
import { createReadLatest } from "./latest-messages.ts";

export interface ConversationReaderDeps {
  client: Pick<ChatClient, "getChat" | "listMessages">;
  session: Session;
  owner: string;
  storage: ChatStorage;
  store: ConversationStore;
  remembered: Remembered;
  alarm: Alarm;
  /** Applies the action to the conversation in all tabs. */
  publish(conversation: ConversationRef, action: ConversationAction): void;
}

export interface ConversationReader {
  /** The conversation leaves the screen: late results for it are not shown in the next one. */
  leave(): void;
  /**
   * Reads the end of the conversation on screen and retries until it succeeds or another conversation is
   * shown. Never rejects; resolves after the first attempt.
   */
  readEnd(): Promise<void>;
  /**
   * The latest messages of a conversation, on screen or not, to look up a message with an unknown outcome.
   */
  readNews(conversation: ConversationRef): Promise<Listing>;
  /**
   * Reads what a newly created chat already contains. Never rejects: after a failure the next poll brings it.
   */
  readBeginning(): Promise<void>;
  /** Loads the next step towards the past; concurrent calls share one. Never rejects. */
  loadOlder(): Promise<void>;
  /** One poll for messages and, now and then, the chat's state. Rejects when that fails. */
  sync(): Promise<void>;
  /** Polls now and a few more times until there is news. Never rejects: the state shows a failed poll. */
  syncSoon(): Promise<void>;
}

export function createConversationReader(deps: ConversationReaderDeps): ConversationReader {
  const { client, session, owner, storage, store, remembered, alarm, publish } = deps;
  /** Of the conversation on screen; null until it has a chat. Each conversation gets its own. */
  let reader: HistoryReader | null = null;
  /** Counts the conversations shown, so that late results for an earlier one are dropped. */
  let shown = 0;
  /** Polls since the chat came on screen. */
  let polls = 0;
  /** Counts the calls of `syncSoon`: a later call replaces an earlier one. */
  let syncsSoon = 0;
  /** The pending step towards the past in the chat on screen. */
  let stepping: Promise<void> | null = null;

  const readLatest = createReadLatest({ session, owner });
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

  async function readEnd(tries = 1): Promise<void> {
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
      // The conversation was left meanwhile, perhaps because another customer signed in, who must not see it.
      if (showing !== shown) return;
      const failure = failureOf(error);
      if (failure.code === "chat_not_found") remembered.forget(id);
      const wait = waitToRead(failure, tries);
      store.dispatch({ type: "end_failed", failure, retryAt: wait === null ? null : Date.now() + wait });
      if (wait !== null) void readEndAfter(wait, tries, showing);
    }
  }

  /** The network's return, or an answer that arrives meanwhile, shows that the server is back. */
  async function readEndAfter(wait: number, tries: number, showing: number): Promise<void> {
    await alarm.sleep(wait, true);
    if (showing === shown) await readEnd(tries + 1);
  }

  async function readNews({ chatId: id }: ConversationRef): Promise<Listing> {
    if (id === null) return { messages: [], mode: "agent" };
    const { chatId: idOnScreen, history } = store.getState();
    const showing = shown;
    // News follows the known end. Until the end is on screen, it is read separately.
    if (idOnScreen === id && history.state === "ready") {
      await readScreenNews(true);
      // Otherwise another conversation has come on screen.
      if (showing === shown) {
        const state = store.getState();
        return { messages: state.messages, mode: modeOf(state) };
      }
    }
    const [{ messages }, { mode }] = await Promise.all([newReader(id).readEnd(), client.getChat(id)]);
    return { messages, mode };
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
      // A message may come with a change of the chat: a teammate joined, or the team closed it.
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
      // With stale cursors the end is read again, back to the messages on screen.
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
    const asked = ++syncsSoon;
    // The state shows the failure (`syncFailure`); the next poll may succeed.
    const look = () => readScreenNews(true).catch(() => undefined);
    await look();
    for (const wait of conversationLimits.newsWaits) {
      if (lastMessageId() !== before) return;
      await alarm.sleep(wait);
      const isClosed = modeOf(store.getState()) === "resolved";
      if (isClosed || showing !== shown || asked !== syncsSoon) return;
      await look();
    }
  }

  const readBeginning = () => readScreenNews(false).catch(() => undefined);

  return { leave, readBeginning, readEnd: () => readEnd(), readNews, loadOlder, sync, syncSoon };
}

/** Milliseconds until a failed read of the chat is retried; null for never. */
function waitToRead(failure: Failure, tries: number): number | null {
  if (failure.code === "chat_not_found" || failure.code === "invalid_id") return null;
  const { readWaits } = conversationLimits;
  const asked = (askedUntil(failure) ?? 0) - Date.now();
  return Math.max(asked, readWaits[Math.min(tries, readWaits.length) - 1] ?? 0);
}
