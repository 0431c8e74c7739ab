import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { MessagePage } from "#lib/chat-api/message.ts";
import { aChat, aMessage } from "#lib/conversation/testing/builders.ts";
import { createAlarm } from "./alarm.ts";
import { createConversationReader } from "./conversation-reader.ts";
import { createConversationStore } from "./conversation-store.ts";
import { createRemembered } from "./remembered.ts";
import { createTabs } from "./tabs.ts";
import { memoryStorage } from "./testing/memory-storage.ts";

afterEach(() => vi.unstubAllGlobals());

const conversation = (chatId: string) => ({ chatId, createKey: `key-of-${chatId}` });
const [first, second] = ["chat_of_the_first", "chat_of_the_second"] as const;

/** Two chats of two pages each, the first on screen with its end. Other pages come when they are let through. */
async function twoChats() {
  vi.stubGlobal("fetch", async (address: string) => {
    const [, chatId = ""] = /\/chats\/([^/]+)/.exec(address) ?? [];
    return Response.json({ items: [aMessage({ chatId })], starts: [null, "c1"], first: 1, nextCursor: null });
  });
  const asked: string[] = [];
  const held = new Map<string, (page: MessagePage) => void>();
  const storage = memoryStorage();
  const tabs = createTabs();
  onTestFinished(() => tabs.close());
  const store = createConversationStore(conversation(first), tabs);
  const reader = createConversationReader({
    client: {
      getChat: async (id: string) => aChat({ id }),
      listMessages: (id: string) => {
        asked.push(id);
        return new Promise<MessagePage>((resolve) => held.set(id, resolve));
      },
    },
    session: { start: async () => null, settled: async () => undefined },
    storage,
    store,
    remembered: createRemembered(storage),
    alarm: createAlarm(),
    publish: store.publish,
  });
  await reader.readEnd();
  return {
    store,
    reader,
    asked,
    /** Lets the page that was asked for of this chat through. */
    letThrough: (chatId: string) =>
      held.get(chatId)?.({
        items: [aMessage({ chatId, text: "from the beginning" })],
        nextCursor: "c1",
      }),
    async openSecond() {
      reader.leave();
      store.show(conversation(second));
      await reader.readEnd();
    },
  };
}

test("who opens another chat while earlier messages are on their way gets that one's, each chat its own", async () => {
  const { store, reader, asked, letThrough, openSecond } = await twoChats();
  const older = reader.loadOlder();
  void reader.loadOlder();
  await expect.poll(() => asked).toEqual([first]);

  await openSecond();
  const olderOfSecond = reader.loadOlder();
  await expect.poll(() => asked).toEqual([first, second]);
  letThrough(first);
  await older;
  void reader.loadOlder();
  letThrough(second);
  await olderOfSecond;
  expect(asked).toEqual([first, second]);
  expect(store.getState().history.hasOlder).toBe(false);
  expect(store.getState().messages.map(({ chatId }) => chatId)).toEqual([second, second]);
});

test("what became of a message is looked up in its own chat, whichever is on screen by then", async () => {
  const { reader, asked, letThrough, openSecond } = await twoChats();
  const looked = reader.readNews(conversation(first));
  await expect.poll(() => asked).toEqual([first]);
  await openSecond();
  letThrough(first);
  expect(new Set((await looked).map(({ chatId }) => chatId))).toEqual(new Set([first]));
});
