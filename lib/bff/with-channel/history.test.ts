/** A long chat of a channel whose pages are short, and of another length each time, read through the BFF. */
import { afterAll, expect, inject, test } from "vitest";
import { Lab } from "../../../channel/lab/lab-client.ts";
import type { Message } from "../../chat-api/message.ts";
import { createHistoryReader } from "../../engine/history/history-reader.ts";
import { mergeMessages } from "../../engine/state/messages.ts";
import { memoryStorage } from "../../engine/testing/memory-storage.ts";
import { newGuest } from "../testing/hostile-set-up.ts";
import { startTestBff, testEnvironment } from "../testing/test-bff.ts";

const channel = await new Lab(inject("channel")).createChannel();
const { lab } = channel;
const t = startTestBff(testEnvironment({ ...channel, channelUrl: channel.url }));
afterAll(async () => {
  await t.stop();
  await channel.drop();
});

const start = Date.now() - 60 * 60 * 1_000;

/** A chat of a guest with as many messages, whose texts are their numbers, and a reader of it. */
async function aLongChat(length: number) {
  const browser = await newGuest(t);
  const { item } = await (await browser.post("/api/chat/chats", { locale: "en" })).json();
  const messages = Array.from({ length }, (_, index) => ({
    role: "visitor" as const,
    text: `${index}`,
    createdAt: new Date(start + index * 1_000).toISOString(),
  }));
  const chat = await lab.importChat({
    userId: item.userId,
    mode: "teammate",
    teammate: "Sam",
    handoff: { status: "claimed" as const },
    messages,
  });
  const path = `/api/chat/chats/${chat.id}/messages`;
  const read = async (address: string, query: object) => {
    const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]));
    return (await browser.get(`${address}?${parameters}`)).json();
  };
  const storage = memoryStorage();
  return {
    chatId: chat.id,
    newReader: () =>
      createHistoryReader({
        chatId: chat.id,
        storage,
        client: { listMessages: (_chatId, query = {}) => read(path, query) },
        async readLatest(_chatId, cursor) {
          const { items, ...rest } = await read(`${path}/latest`, cursor === null ? {} : { cursor });
          return { messages: items, ...rest };
        },
      }),
  };
}

const texts = (messages: readonly Message[]) => messages.map(({ text }) => Number(text));
const upTo = (end: number) => Array.from({ length: end }, (_, index) => index);

/** Page lengths: of the specification's maximum, short, varying, and of a single message. */
const lengths = [
  { messagesPerPage: 50, pageVariation: 0 },
  { messagesPerPage: 13, pageVariation: 9 },
  { messagesPerPage: 50, pageVariation: 45 },
  { messagesPerPage: 1, pageVariation: 0 },
];

test.each(lengths.flatMap((before) => lengths.map((now) => [before, now] as const)))(
  "shows every message once and in order in pages of %j, then %j",
  async (before, now) => {
    const { newReader } = await aLongChat(137);
    await lab.changeLimits(before);
    await newReader().readEnd();
    const reader = newReader();
    const end = await reader.readEnd();
    expect(end.messages.length).toBeGreaterThanOrEqual(20);
    await lab.changeLimits(now);
    let shown = end.messages;
    for (let { hasOlder } = end; hasOlder; ) {
      const older = await reader.readOlder();
      shown = mergeMessages(shown, older.messages, "oldest");
      hasOlder = older.hasOlder;
      // Also while it is read.
      expect(texts(shown)).toEqual(upTo(137).slice(-shown.length));
    }
    expect(texts(shown)).toEqual(upTo(137));
  },
);

test("misses no news between two polls", async () => {
  await lab.changeLimits({ messagesPerPage: 4, pageVariation: 3 });
  const { chatId, newReader } = await aLongChat(60);
  const reader = newReader();
  let shown = (await reader.readEnd()).messages;
  for (let poll = 0; poll < 3; poll += 1) {
    for (let count = 0; count < 9; count += 1) await lab.postMessage(chatId, `${60 + poll * 9 + count}`);
    shown = mergeMessages(shown, await reader.readNews(), "newest");
    expect(texts(shown)).toEqual(upTo(69 + poll * 9).slice(-shown.length));
  }
});
