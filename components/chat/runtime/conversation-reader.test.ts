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

/** Two chats of two pages each, of which the browser has read the ends. A page of the past comes when it is let through. */
function twoChats() {
  const ends = ["first", "second"].map((name) => `chat_of_the_${name}`);
  vi.stubGlobal("fetch", async (address: string) => {
    const [, chatId = ""] = /\/chats\/([^/]+)/.exec(address) ?? [];
    return Response.json({ items: [aMessage({ chatId })], starts: [null, "c1"], first: 1, nextCursor: null });
  });
  const asked: string[] = [];
  const held = new Map<string, (page: MessagePage) => void>();
  const client = {
    getChat: async (id: string) => aChat({ id }),
    listMessages: (id: string) => {
      asked.push(id);
      return new Promise<MessagePage>((resolve) => held.set(id, resolve));
    },
  };
  return { ends, asked, held, client };
}

test("who opens another chat while earlier messages are on their way gets that one's, each chat its own", async () => {
  const { ends, asked, held, client } = twoChats();
  const [first = "", second = ""] = ends;
  const storage = memoryStorage();
  const tabs = createTabs();
  onTestFinished(() => tabs.close());
  const conversation = (chatId: string) => ({ chatId, createKey: `key-of-${chatId}` });
  const store = createConversationStore(conversation(first), tabs);
  const reader = createConversationReader({
    client,
    session: { start: async () => null, settled: async () => undefined },
    storage,
    store,
    remembered: createRemembered(storage),
    alarm: createAlarm(),
    publish: store.publish,
  });
  await reader.readEnd();
  const older = reader.loadOlder();
  void reader.loadOlder();
  await expect.poll(() => asked).toEqual([first]);

  reader.leave();
  store.show(conversation(second));
  await reader.readEnd();
  const olderOfSecond = reader.loadOlder();
  await expect.poll(() => asked).toEqual([first, second]);
  const pageOf = (chatId: string): MessagePage => ({
    items: [aMessage({ chatId, text: "from the beginning" })],
    nextCursor: "c1",
  });
  held.get(first)?.(pageOf(first));
  await older;
  void reader.loadOlder();
  held.get(second)?.(pageOf(second));
  await olderOfSecond;
  expect(asked).toEqual([first, second]);
  expect(store.getState().history.hasOlder).toBe(false);
  expect(store.getState().messages.map(({ chatId }) => chatId)).toEqual([second, second]);
});
