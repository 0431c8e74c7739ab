/** A long chat of a channel whose pages are short, and of another length each time, read through the BFF. */
import { afterAll, expect, inject, test } from "vitest";
import { Lab } from "../../../channel/lab/lab-client.ts";
import type { Message, MessagePage } from "../../chat-api/message.ts";
import { reduceConversation } from "../../engine/state/reducer.ts";
import { emptyConversation } from "../../engine/state/state.ts";
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

/** A chat of a guest with as many messages, whose texts are their numbers, and how a page reads it. */
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
  const read = async (name: "before" | "news", messageId?: string): Promise<MessagePage> => {
    const search = messageId === undefined ? "" : `?cursor=${messageId}`;
    return (await browser.get(`${path}/${name}${search}`)).json();
  };
  return { chatId: chat.id, read };
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
    const { read } = await aLongChat(137);
    await lab.changeLimits(before);
    let { items: shown, nextCursor } = await read("before");
    expect(shown.length).toBeGreaterThanOrEqual(20);
    await lab.changeLimits(now);
    while (nextCursor !== null) {
      const older = await read("before", nextCursor);
      shown = [...older.items, ...shown];
      nextCursor = older.nextCursor;
      // Also while it is read.
      expect(texts(shown)).toEqual(upTo(137).slice(-shown.length));
    }
    expect(texts(shown)).toEqual(upTo(137));
  },
);

test("misses no news between two polls", async () => {
  await lab.changeLimits({ messagesPerPage: 4, pageVariation: 3 });
  const { chatId, read } = await aLongChat(60);
  const end = { type: "end_read", messages: (await read("before")).items, hasOlder: true } as const;
  let state = reduceConversation(emptyConversation({ chatId, createKey: "" }), { ...end, seenId: null });
  for (let poll = 0; poll < 3; poll += 1) {
    for (let count = 0; count < 9; count += 1) await lab.postMessage(chatId, `${60 + poll * 9 + count}`);
    const { items } = await read("news", state.listedId ?? undefined);
    state = reduceConversation(state, { type: "news_read", messages: items, hasOlder: true });
    expect(texts(state.messages)).toEqual(upTo(69 + poll * 9).slice(-state.messages.length));
  }
});
