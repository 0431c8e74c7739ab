import { expect, test, vi } from "vitest";
import type { ChatMode } from "../../chat-api/chat.ts";
import { ChatApiError } from "../../chat-api/errors.ts";
import type { Message, MessagePage } from "../../chat-api/message.ts";
import { ChatConnectionError } from "../../chat-client/errors.ts";
import { createRemembered } from "../chats/remembered.ts";
import { createFailureOf, failure } from "../failure.ts";
import * as conversationLimits from "../limits.ts";
import { createPauses, type WakeEvent } from "../pauses.ts";
import { emptyConversation } from "../state/state.ts";
import { createChatStore } from "../state/store.ts";
import { aChat, aMessage } from "../testing/builders.ts";
import { refusal } from "../testing/chat-page.ts";
import { inertSession } from "../testing/inert-session.ts";
import { memoryBrowser } from "../testing/memory-browser.ts";
import { memoryStorage } from "../testing/memory-storage.ts";
import { createConversationReader } from "./conversation-reader.ts";
import { loadAll } from "./whole-chat.ts";

const conversation = (chatId: string) => ({ chatId, createKey: `key-of-${chatId}` });
const [first, second] = ["chat_of_the_first", "chat_of_the_second"] as const;

/** The store of a tab with the first chat on screen. */
function aStore() {
  return createChatStore(emptyConversation(conversation(first)), {
    browser: memoryBrowser(),
    failureOf: createFailureOf(),
  });
}

type Answer = (chatId: string) => Promise<MessagePage | Response>;

/** Answers with `end` to a request for a chat's end, and with `answer` to others for messages. */
const sendOf =
  (answer: Answer, end: Answer = endOf()) =>
  async (address: string) => {
    const [, chatId = ""] = /\/chats\/([^/]+)/.exec(address) ?? [];
    const page = await (address.endsWith("before") ? end : answer)(chatId);
    return page instanceof Response ? page : Response.json(page);
  };

/** A chat's end of one message; with `hasOlder` others are before it. */
const endOf =
  (hasOlder = false) =>
  async (chatId: string): Promise<MessagePage> => {
    const message = aMessage({ chatId });
    return { items: [message], nextCursor: hasOlder ? message.id : null };
  };

/** The reader of a store; each chat exists and has one message. */
function aReader(
  store: ReturnType<typeof aStore>,
  answer: Answer,
  more: Partial<Parameters<typeof createConversationReader>[0]> = {},
) {
  const storage = memoryStorage();
  const remembered = createRemembered(storage);
  const { signal } = new AbortController();
  return {
    storage,
    reader: createConversationReader({
      client: { getChat: async (id: string) => aChat({ id }) },
      session: inertSession,
      owner: "guest",
      send: sendOf(answer),
      store,
      failureOf: createFailureOf(),
      remembered,
      onGone(chatId) {
        remembered.forget(chatId);
        return false;
      },
      pauses: createPauses(signal),
      signal,
      publish: store.apply,
      apply: store.apply,
      ...more,
    }),
  };
}

/**
 * Two long chats. The first one is on screen with its end; other messages wait until the test releases them.
 */
async function twoChats() {
  const asked: string[] = [];
  const held = new Map<string, (page: MessagePage) => void>();
  const store = aStore();
  const answer = (id: string) => {
    asked.push(id);
    return new Promise<MessagePage>((resolve) => held.set(id, resolve));
  };
  const { reader } = aReader(store, answer, { send: sendOf(answer, endOf(true)) });
  await reader.readEnd();
  return {
    store,
    reader,
    asked,
    /** Releases the page that was requested for this chat. */
    release: (chatId: string, hasOlder = false) =>
      held.get(chatId)?.({
        items: [aMessage({ chatId, text: "from the beginning" })],
        nextCursor: hasOlder ? "an earlier one" : null,
      }),
    async openSecond() {
      reader.leave();
      store.show(conversation(second));
      await reader.readEnd();
    },
  };
}

test("reports an unknown error of a chat that has left the screen", async () => {
  const reported = vi.fn();
  const { promise: chat, reject } = Promise.withResolvers<never>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const getChat = () => {
    ask();
    return chat;
  };
  const { reader } = aReader(aStore(), endOf(), {
    client: { getChat },
    failureOf: createFailureOf(reported),
  });
  const poll = reader.sync();
  await asked;
  reader.leave();
  const unknown = new RangeError("of ours");
  reject(unknown);
  await expect(poll).rejects.toBe(unknown);
  expect(reported.mock.calls).toEqual([[unknown]]);
});

test("loads one page for two scrolls to the top", async () => {
  const { reader, asked, release } = await twoChats();
  const loaded = Promise.all([reader.loadOlder(), reader.loadOlder()]);
  await expect.poll(() => asked).toEqual([first]);
  release(first, true);
  await loaded;
  expect(asked).toEqual([first]);
  void reader.loadOlder();
  await expect.poll(() => asked).toEqual([first, first]);
});

test("shows earlier messages although news has brought others before the first one", async () => {
  const store = aStore();
  const [oldest, older, shown] = [aMessage(), aMessage(), aMessage()];
  const { promise: page, resolve } = Promise.withResolvers<MessagePage>();
  let asked = 0;
  const { reader } = aReader(store, () => Promise.reject(), {
    send: async () => {
      asked += 1;
      return Response.json(asked === 1 ? { items: [shown], nextCursor: shown.id } : await page);
    },
  });
  await reader.readEnd();
  const loading = reader.loadOlder();
  store.dispatch({ type: "news_read", hasOlder: false, messages: [older, shown] });
  resolve({ items: [oldest, older], nextCursor: null });
  await loading;
  expect(store.conversation().messages).toEqual([oldest, older, shown]);
  expect(store.conversation().history.older).toBe("idle");
});

test("can load earlier messages again after news behind a gap has replaced all that were there", async () => {
  const { store, reader, asked, release } = await twoChats();
  const loading = reader.loadOlder();
  await expect.poll(() => asked).toEqual([first]);
  store.dispatch({ type: "news_read", messages: [aMessage({ chatId: first })], hasOlder: true });
  release(first);
  await loading;
  expect(store.conversation().history.older).toBe("idle");
  expect(store.conversation().messages).toHaveLength(1);
});

test("reads the news of a chat that has left the screen", async () => {
  const { reader, asked, release, openSecond } = await twoChats();
  const looked = reader.readNews(conversation(first));
  await expect.poll(() => asked).toEqual([first]);
  await openSecond();
  release(first);
  expect(new Set((await looked).messages.map(({ chatId }) => chatId))).toEqual(new Set([first]));
});

/**
 * A chat whose reads fail with these errors in order, then succeed. Its list has `news` after the end.
 * `waits` are the delays before the retries.
 */
function unreadableChat(...failures: Error[]) {
  const news: Message[] = [];
  const store = aStore();
  const waits: { milliseconds: number; until: WakeEvent | undefined; wake: () => void }[] = [];
  const reader = aReader(store, async () => ({ items: news, nextCursor: null }), {
    client: {
      async getChat(id: string) {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return aChat({ id });
      },
    },
    pauses: {
      sleep: (milliseconds, until) => new Promise((wake) => void waits.push({ milliseconds, until, wake })),
      wake: () => undefined,
    },
  });
  return { store, waits, failures, news, ...reader };
}

test("reads what another tab has changed while the end is being read", async () => {
  const store = aStore();
  store.dispatch({ type: "end_reading" });
  const { promise: end, resolve: answer } = Promise.withResolvers<MessagePage>();
  const news = aMessage({ chatId: first });
  const answered = async () => ({ items: [news], nextCursor: null });
  const { reader } = aReader(store, answered, { send: sendOf(answered, () => end) });
  const read = reader.readEnd();
  const readAgain = reader.readAgain();
  answer(await endOf()(first));
  await Promise.all([read, readAgain]);
  expect(store.conversation().messages).toContainEqual(news);
});

test("reads once more for all changes of another tab that come during a read", async () => {
  const { store, reader, asked, release } = await twoChats();
  const begun = reader.readAgain();
  await expect.poll(() => asked).toEqual([first]);
  const joined = [reader.readAgain(), reader.readAgain(), reader.readAgain()];
  release(first);
  await begun;
  await expect.poll(() => asked).toEqual([first, first]);
  release(first);
  await Promise.all(joined);
  expect(asked).toEqual([first, first]);
  expect(store.conversation().syncFailure).toBeNull();
});

test("shows the messages of another tab although the chat cannot be read, and retries the read", async () => {
  const { store, waits, failures, news, reader } = unreadableChat();
  await reader.readEnd();
  failures.push(new ChatConnectionError("getChat", "unreachable"));
  news.push(aMessage({ chatId: first, text: "news" }));
  const read = reader.readAgain();
  await expect.poll(() => waits).toHaveLength(1);
  const { messages, syncFailure } = store.conversation();
  expect(messages.map(({ text }) => text)).toContain("news");
  expect(syncFailure?.code).toBe("connection_lost");
  waits[0]?.wake();
  await read;
  expect(store.conversation().syncFailure).toBeNull();
});

test("ends no read of another tab's changes before the retry that replaces its own", async () => {
  const { store, waits, failures, reader } = unreadableChat();
  await reader.readEnd();
  failures.push(...[1, 2].map(() => new ChatConnectionError("getChat", "unreachable")));
  const reads: Promise<void>[] = [];
  for (const count of [1, 2]) {
    reads.push(reader.readAgain());
    await expect.poll(() => waits).toHaveLength(count);
  }
  for (const wait of waits) wait.wake();
  await reads[0];
  expect(store.conversation().syncFailure).toBeNull();
});

test("has read what another tab has changed only once the end of the chat is read", async () => {
  const lost = () => new ChatConnectionError("getChat", "unreachable");
  const { store, waits, reader } = unreadableChat(lost(), lost());
  await reader.readEnd();
  const changes = reader.readAgain().then(() => store.conversation().history.state);
  for (const count of [1, 2]) {
    await expect.poll(() => waits).toHaveLength(count);
    waits.at(-1)?.wake();
  }
  expect(await changes).toBe("ready");
});

test.each([
  ["closes", "agent", "resolved"],
  ["returns to the agent", "teammate", "agent"],
] as const)("shows the last message of a chat that %s after its messages were read", async (_, from, to) => {
  const store = aStore();
  const last = aMessage({ chatId: first, text: "Goodbye" });
  const items: Message[] = [];
  let mode: ChatMode = from;
  let answer: Answer = async () => ({ items: [...items], nextCursor: null });
  const client = {
    async getChat(id: string) {
      if (mode === to) items.push(last);
      return aChat({ id, mode });
    },
  };
  const { reader } = aReader(store, (id) => answer(id), { client });
  await reader.readEnd();
  mode = to;
  const { promise: listed, resolve: list } = Promise.withResolvers<MessagePage>();
  const usual = answer;
  answer = () => {
    answer = usual;
    return listed;
  };
  const read = reader.sync();
  list({ items: [], nextCursor: null });
  await read;
  expect(store.conversation().messages).toContainEqual(last);
});

test("shows who answers in a chat that changes while its messages are read", async () => {
  const store = aStore();
  let mode: "agent" | "teammate" = "agent";
  const joined = aMessage({ chatId: first, role: "system", text: "Kim joined." });
  const client = {
    async listMessages() {
      if (mode === "teammate") return { items: [joined], nextCursor: null };
      // The chat is not read before this answer.
      await new Promise(setImmediate);
      mode = "teammate";
      return { items: [joined], nextCursor: null };
    },
    getChat: async (id: string) => aChat({ id, mode }),
  };
  const { reader } = aReader(store, client.listMessages, { client });
  await reader.readEnd();
  await reader.sync();
  const { messages, chat } = store.conversation();
  expect(messages).toContainEqual(joined);
  expect(chat?.mode).toBe("teammate");
});

test("shows the messages in which one is looked up before the chat could be read", async () => {
  const { store, reader, waits } = unreadableChat(new ChatConnectionError("getChat", "unreachable"));
  await reader.readEnd();
  expect(store.conversation().history.state).toBe("failed");
  const { messages } = await reader.readNews(conversation(first));
  expect(messages).toHaveLength(1);
  const { history, messages: shown } = store.conversation();
  expect([history.state, shown]).toEqual(["ready", messages]);
  // Nothing is left to repeat.
  store.dispatch({ type: "sync_failed", failure: failure("connection_lost") });
  waits[0]?.wake();
  await new Promise(setImmediate);
  expect(store.conversation().syncFailure).not.toBeNull();
});

test("shows the last message of a chat that closes while it opens", async () => {
  const store = aStore();
  const last = aMessage({ chatId: first, text: "Goodbye" });
  const client = { getChat: async (id: string) => aChat({ id, mode: "resolved" as const }) };
  const { reader } = aReader(store, async () => ({ items: [last], nextCursor: null }), { client });
  await reader.readEnd();
  expect(store.conversation().messages).toContainEqual(last);
});

test("drops a read that a later one, behind a gap, has overtaken", async () => {
  const held: ((page: MessagePage) => void)[] = [];
  const store = aStore();
  const { reader } = aReader(store, () => new Promise((resolve) => held.push(resolve)));
  await reader.readEnd();
  const reads = [reader.readBeginning(), reader.readBeginning()];
  await expect.poll(() => held).toHaveLength(2);
  const end = aMessage({ chatId: first });
  held[1]?.({ items: [end], nextCursor: end.id });
  await reads[1];
  held[0]?.({ items: [aMessage({ chatId: first })], nextCursor: null });
  await reads[0];
  const { messages, history } = store.conversation();
  expect(messages).toEqual([end]);
  expect(history.hasOlder).toBe(true);
});

test("repeats the start of a service that was refused, and reports no lost connection", async () => {
  const reported = vi.fn();
  const store = createChatStore(emptyConversation({ chatId: null, createKey: "create-0000-1" }), {
    browser: memoryBrowser(),
    failureOf: createFailureOf(reported),
  });
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { reader } = aReader(store, endOf(), {
    session: {
      ...inertSession,
      refusal: () => new ChatApiError("channel_disabled"),
      async start() {
        start();
        throw new TypeError("fetch failed");
      },
    },
    failureOf: createFailureOf(reported),
    pauses: { sleep: () => Promise.resolve(), wake: () => undefined },
  });
  reader.showService();
  await started;
  await new Promise(setImmediate);
  expect(reported.mock.calls).toEqual([]);
});

test("retries neither a deleted chat nor one that left the screen", async () => {
  const gone = unreadableChat(new ChatApiError("chat_not_found"));
  const remembered = createRemembered(gone.storage);
  remembered.opened(first);
  await gone.reader.readEnd();
  expect(remembered.chats()).toEqual([]);
  expect(gone.store.conversation().history).toMatchObject({ state: "failed", retryAt: null });
  expect(gone.waits).toEqual([]);

  const left = unreadableChat(new ChatApiError("internal_error"));
  await left.reader.readEnd();
  left.reader.leave();
  left.waits[0]?.wake();
  await new Promise(setImmediate);
  expect(left.store.conversation().history.state).toBe("failed");
});

test("shows neither messages nor a failure of a chat that the conversation has lost meanwhile", async () => {
  const refused = () => Promise.reject(new ChatApiError("chat_not_found"));
  for (const [answer, status] of [
    [endOf(), "fulfilled"],
    [refused, "rejected"],
  ] as const) {
    const store = aStore();
    const { reader } = aReader(store, answer);
    const looked = Promise.allSettled([reader.sync()]);
    const lost = store.conversation();
    store.dispatch({ type: "restarted", createKey: `${lost.createKey}.2`, isGone: true });
    expect(await looked).toMatchObject([{ status }]);
    expect(store.conversation()).toMatchObject({ messages: [], syncFailure: null });
  }
});

test("does not report a failed poll of a chat that left the screen", async () => {
  const store = aStore();
  const { reader } = aReader(store, async () => {
    throw new ChatConnectionError("listMessages", "unreachable");
  });
  const looked = reader.sync();
  reader.leave();
  store.show(conversation(second));
  await expect(looked).rejects.toThrow(ChatConnectionError);
  expect(store.conversation().syncFailure).toBeNull();
});

test("`syncSoon` shows failed polls and never rejects, even if called twice", async () => {
  const lost = () => new ChatConnectionError("getChat", "unreachable");
  const { store, reader, waits } = unreadableChat(...Array.from({ length: 9 }, lost));
  const sooner = reader.syncSoon(conversation(first));
  const later = reader.syncSoon(conversation(first));
  const endWaits = async () => {
    for (const { wake } of waits.splice(0)) wake();
    await new Promise(setImmediate);
  };
  for (let count = 0; count < 10; count += 1) await endWaits();
  await Promise.all([sooner, later]);
  expect(store.conversation().syncFailure?.code).toBe("connection_lost");
});

test("polls at once, then after each wait until there is news", async () => {
  const { store, reader, waits } = unreadableChat();
  await reader.readEnd();
  let reads = 0;
  store.subscribe(() => {
    reads += 1;
  });
  const looking = reader.syncSoon(conversation(first));
  await vi.waitFor(() => expect(reads).toBeGreaterThan(0));
  await expect
    .poll(() => waits.map(({ milliseconds }) => milliseconds))
    .toEqual([conversationLimits.newsWaits[0]]);
  waits[0]?.wake();
  await expect.poll(() => waits.length).toBe(2);
  store.apply(store.conversation(), {
    type: "news_read",
    hasOlder: false,
    messages: [aMessage({ chatId: first, text: "It is ready." })],
  });
  waits[1]?.wake();
  await looking;
  expect(waits).toHaveLength(2);
});

test("does not look for news of a chat that has left the screen", async () => {
  const { reader, asked, openSecond } = await twoChats();
  await openSecond();
  void reader.syncSoon(conversation(first));
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
});

test("stops looking for news once the chat is deleted", async () => {
  const { store, reader, waits } = unreadableChat(new ChatApiError("chat_not_found"));
  const looking = reader.syncSoon(conversation(first));
  await expect.poll(() => waits.length).toBe(1);
  waits[0]?.wake();
  await looking;
  expect(waits).toHaveLength(1);
  expect(store.conversation().syncFailure?.code).toBe("chat_not_found");
});

test("stops looking for an answer once the chat is closed", async () => {
  const { store, reader, waits } = unreadableChat();
  await reader.readEnd();
  const looking = reader.syncSoon(conversation(first));
  await expect.poll(() => waits.length).toBe(1);
  store.apply(store.conversation(), { type: "chat_read", chat: aChat({ id: first, mode: "resolved" }) });
  waits[0]?.wake();
  await looking;
  expect(waits).toHaveLength(1);
});

/** A chat with earlier messages, whose pages `page` gives by their number. */
function longChat(page: (number: number) => MessagePage | Response) {
  const store = aStore();
  let pages = 0;
  const answer = async () => {
    pages += 1;
    return page(pages);
  };
  const { reader } = aReader(store, answer, { send: sendOf(answer, endOf(true)) });
  return { store, pages: () => pages, reader };
}

test("reads a chat to its beginning and no further", async () => {
  const chat = longChat((number) => ({ items: [aMessage()], nextCursor: number < 7 ? `c${number}` : null }));
  await chat.reader.readEnd();
  await loadAll(chat.reader, chat.store);
  await loadAll(chat.reader, chat.store);
  expect(chat.pages()).toBe(7);
  expect(chat.store.conversation().history.hasOlder).toBe(false);
});

test("stops reading an endless list at the limit of loads", async () => {
  const chat = longChat((number) => ({ items: [aMessage()], nextCursor: `c${number}` }));
  await chat.reader.readEnd();
  await loadAll(chat.reader, chat.store);
  expect(chat.pages()).toBe(conversationLimits.readAllSteps);
  expect(chat.store.conversation().history.hasOlder).toBe(true);
});

test("stops reading at a failure", async () => {
  const chat = longChat(() => refusal("chat_not_found"));
  await chat.reader.readEnd();
  await loadAll(chat.reader, chat.store);
  expect(chat.pages()).toBe(1);
});
