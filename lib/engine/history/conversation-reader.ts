/** Reads the messages of the conversation on screen: its end, news, and earlier pages. */
import { errorRules } from "../../chat-api/errors.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import { dueIn } from "../../chat-client/retry.ts";
import { type ConversationRef, isSameConversation } from "../conversation-ref.ts";
import { askedWaitOf, type Failure } from "../failure.ts";
import * as conversationLimits from "../limits.ts";
import type { Listing } from "../outbox/delivery-rules.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { isIn } from "../state/messages.ts";
import { isOutOfService, isOver, modeOf } from "../state/selectors.ts";
import { createReadMessages } from "./read-messages.ts";

export interface ConversationReaderDeps
  extends Pick<OwnerParts, "session" | "owner" | "send" | "store" | "remembered">,
    Pick<OwnerParts, "pauses" | "failureOf" | "publish" | "signal" | "onGone"> {
  client: Pick<ChatClient, "getChat">;
  /** Applies the action without telling the host or other tabs. */
  apply: OwnerParts["publish"];
}

export type ConversationReader = ReturnType<typeof createConversationReader>;

/**
 * A conversation from when it comes on screen until it leaves. Late results of an earlier showing are
 * dropped.
 */
interface Showing {
  polls: number;
  /** Counts the calls of `syncSoon`: a later call replaces an earlier one. */
  syncsSoon: number;
  /** The retry of the latest failed read, which replaces those of earlier ones. */
  retry: Promise<void> | null;
  /** The pending load of earlier messages. */
  loadingOlder: Promise<void> | null;
  /** The latest read of the end, or of what another tab has changed. */
  reading: Promise<void>;
  /** The next read, which waits for `reading`: of what other tabs have changed meanwhile. */
  readingAgain: Promise<void> | null;
}

const newShowing = (): Showing => ({
  polls: 0,
  syncsSoon: 0,
  retry: null,
  loadingOlder: null,
  reading: Promise.resolve(),
  readingAgain: null,
});

export function createConversationReader({
  client,
  session,
  store,
  pauses,
  ...deps
}: ConversationReaderDeps) {
  const { owner, send, remembered, failureOf, publish, apply, signal, onGone } = deps;
  const { before, news } = createReadMessages({ session, owner, send, signal });
  let showing = newShowing();

  /** Whether the chat is still on screen, since this was called. A conversation may lose its chat. */
  function whileShown(): () => boolean {
    const now = showing;
    const { chatId } = store.conversation();
    return () => now === showing && store.conversation().chatId === chatId;
  }

  /**
   * Shows why the conversation cannot be read, and calls `again` after a wait. That ends early when the
   * network returns or an answer arrives: the server is probably back.
   */
  function showFailure(failure: Failure, tries: number, again: () => Promise<unknown>): void {
    const wait = waitToRead(failure, tries);
    store.dispatch({ type: "end_failed", failure, retryAt: wait === null ? null : Date.now() + wait });
    if (wait !== null) void readLater(wait, again);
  }

  function readLater(wait: number, again: () => Promise<unknown>): Promise<void> {
    const current = showing;
    const retry = pauses.sleep(wait, "news").then(async () => {
      if (!signal.aborted && current === showing) await (current.retry === retry ? again() : current.retry);
    });
    current.retry = retry;
    return retry;
  }

  function readEnd(tries = 1): Promise<void> {
    showing.reading = tryReadEnd(tries);
    return showing.reading;
  }

  async function tryReadEnd(tries: number): Promise<void> {
    const { chatId: id } = store.conversation();
    if (id === null) return showService();
    const isShown = whileShown();
    try {
      await readScreenEnd(id);
    } catch (error) {
      // The conversation was left meanwhile, perhaps because another customer signed in, who must not see its
      // failure.
      if (!isShown()) return;
      const failure = failureOf(error);
      if (errorRules[failure.code].ends === "gone" && onGone(id)) return;
      showFailure(failure, tries, () => readEnd(tries + 1));
    }
  }

  async function readScreenEnd(id: string): Promise<void> {
    const isShown = whileShown();
    const [chat, end] = await Promise.all([client.getChat(id), before(id)]);
    if (!isShown()) return;
    // Ends the retry of an earlier read.
    showing.retry = null;
    store.dispatch({ type: "end_read", ...end, seenId: remembered.chat(id)?.seenId ?? null });
    remembered.opened(id);
    publish(store.conversation(), { type: "chat_read", chat });
    // It may have closed with messages that are newer than the list, and nobody polls a closed chat.
    if (isOver(store.conversation())) await readScreenNews(false);
  }

  function showService(): void {
    if (store.conversation().chatId !== null) return;
    const failure = session.refusal() === null ? null : failureOf(session.refusal());
    if (failure === null || !isOutOfService(failure.code)) store.dispatch({ type: "end_reading" });
    // `session.refusal()` keeps why a start failed, and the next `showService` shows it.
    else showFailure(failure, 1, () => session.start().catch(() => undefined));
  }

  async function readNews({ chatId: id }: ConversationRef): Promise<Listing> {
    if (id === null) return { messages: [], mode: "agent", hasOlder: false };
    const isShown = whileShown();
    const { chatId: idOnScreen, history } = store.conversation();
    if (idOnScreen === id) {
      // News is read from the known end.
      await (history.state === "ready" ? readScreenNews(true) : readScreenEnd(id));
      // If another conversation has come on screen, its messages are no answer.
      if (isShown()) {
        const state = store.conversation();
        return { messages: state.messages, mode: modeOf(state), hasOlder: state.history.hasOlder };
      }
    }
    const [end, { mode }] = await Promise.all([before(id), client.getChat(id)]);
    return { ...end, mode };
  }

  async function readScreenNews(withChat: boolean, take = publish): Promise<void> {
    const { chatId: id } = store.conversation();
    if (id === null) return;
    const isShown = whileShown();
    try {
      const { listedId } = store.conversation();
      const read = await news(id, listedId ?? undefined);
      if (!isShown()) return;
      const earlier = store.conversation();
      // A later read has overtaken one that does not reach the new end.
      const isLate = earlier.listedId !== listedId && !isIn(read.messages, earlier.listedId);
      if (!isLate) take(earlier, { type: "news_read", ...read });
      // A message may come with a change of the chat, which is read after it: a teammate joined, or the team
      // closed it.
      if (!withChat && store.conversation().messages === earlier.messages) return;
      const chat = await client.getChat(id);
      if (!isShown()) return;
      take(earlier, { type: "chat_read", chat });
      // The message that tells of the new mode may be newer than the list. Nobody polls a closed chat, and
      // one that the agent answers is polled rarely.
      if (modeOf(store.conversation()) !== modeOf(earlier)) await readScreenNews(false, take);
    } catch (error) {
      const failure = failureOf(error);
      if (isShown()) store.dispatch({ type: "sync_failed", failure });
      throw error;
    }
  }

  function readAgain(tries = 1): Promise<void> {
    const current = showing;
    current.readingAgain ??= current.reading.then(async () => {
      current.readingAgain = null;
      if (current !== showing || signal.aborted) return;
      const { chatId, history } = store.conversation();
      const isRetried = history.state === "failed" && history.retryAt !== null;
      if (isRetried && chatId !== null) return current.retry?.then(() => readAgain());
      if (history.state !== "ready") return;
      const reading = readScreenNews(true, apply).catch(failureOf);
      current.reading = reading.then(() => undefined);
      const failed = await reading;
      const wait = failed ? waitToRead(failed, tries) : null;
      // The tab that polls has read them already, and tells of no change again.
      if (wait !== null && current === showing) await readLater(wait, () => readAgain(tries + 1));
    });
    return current.readingAgain;
  }

  async function readOlder(): Promise<void> {
    const { chatId: id, history, messages } = store.conversation();
    if (id === null || !history.hasOlder) return;
    const isShown = whileShown();
    store.dispatch({ type: "older_reading" });
    try {
      const first = messages[0]?.id;
      const older = await before(id, first);
      const now = store.conversation();
      // The end may have been read anew meanwhile: messages between would be missing.
      const read = isIn(now.messages, first) ? older : { messages: [], hasOlder: now.history.hasOlder };
      if (isShown()) store.dispatch({ type: "older_read", ...read });
    } catch (error) {
      const failure = failureOf(error);
      if (isShown()) store.dispatch({ type: "older_failed", failure });
    }
  }

  return {
    /**
     * Ends the reading of a conversation that leaves the screen: its late results are not shown in the next
     * one.
     */
    leave() {
      showing = newShowing();
    },
    /**
     * Reads the end of the conversation on screen and retries until it succeeds, the chat is gone or another
     * conversation is shown. Never rejects; resolves after the first attempt.
     */
    readEnd: () => readEnd(),
    /**
     * Shows at the end of a session start that the chat is out of service: a new conversation has nothing to
     * read.
     */
    showService,
    /** The latest messages of any chat. Rejects as the client does. */
    latest: (chatId: string, until: AbortSignal) => before(chatId, undefined, until),
    /** The latest messages of any conversation, to look up a message with an unknown outcome. */
    readNews,
    /** Reads what a new chat already contains. Never rejects: after a failure the next poll brings it. */
    readBeginning: () => readScreenNews(false).catch(failureOf),
    /**
     * Reads what another tab has changed, and told the host. A read in progress may be too early for that, so
     * one more follows it, which later calls share. A failed read is repeated. Never rejects; resolves once
     * it has succeeded, or nobody needs it any more.
     */
    readAgain: () => readAgain(),
    /** Loads more earlier messages; concurrent calls share one load. Never rejects. */
    loadOlder(): Promise<void> {
      const current = showing;
      current.loadingOlder ??= readOlder().finally(() => {
        current.loadingOlder = null;
      });
      return current.loadingOlder;
    },
    /** One poll for messages and, on every third poll or after news, the chat. Rejects when that fails. */
    async sync() {
      const withChat = showing.polls % conversationLimits.pollsPerChatRead === 0;
      showing.polls += 1;
      await readScreenNews(withChat);
    },
    /**
     * Polls now and a few more times until there is news, if this conversation is on screen. Never rejects:
     * the state shows a failed poll.
     */
    async syncSoon(conversation: ConversationRef): Promise<void> {
      if (!isSameConversation(conversation, store.conversation())) return;
      const lastMessageId = () => store.conversation().messages.at(-1)?.id ?? null;
      const before = lastMessageId();
      const isShown = whileShown();
      showing.syncsSoon += 1;
      const sync = showing.syncsSoon;
      // The state shows the failure (`syncFailure`); the next poll may succeed.
      const look = () => readScreenNews(true).catch(failureOf);
      await look();
      for (const wait of conversationLimits.newsWaits) {
        if (lastMessageId() !== before) return;
        await pauses.sleep(wait);
        if (isOver(store.conversation()) || !isShown() || sync !== showing.syncsSoon) return;
        await look();
      }
    },
  };
}

/** Milliseconds until a failed read of the chat is repeated; null for never. */
function waitToRead(failure: Failure, tries: number): number | null {
  const { ends } = errorRules[failure.code];
  if (ends === "gone" || ends === "page") return null;
  return dueIn(conversationLimits.readAgain, { count: tries, elapsed: 0, askedWait: askedWaitOf(failure) });
}
