/** A customer's question from the first request to the last delta, through the BFF and a real channel. */
import { afterAll, expect, inject, test } from "vitest";
import { newGuest } from "../testing/hostile-set-up.ts";
import { freshKey, startTestBff, type TestBrowser, testEnvironment } from "../testing/test-bff.ts";

const t = startTestBff(testEnvironment(inject("channel")));
afterAll(() => t.stop());

async function newChat(browser: TestBrowser = t.browser()) {
  if (browser.cookie === undefined) await browser.start();
  const created = await browser.post("/api/chat/chats", { locale: "en" });
  expect(created.status).toBe(201);
  const { item: chat } = await created.json();
  return {
    browser,
    chat,
    path: `/api/chat/chats/${chat.id}`,
    messages: `/api/chat/chats/${chat.id}/messages`,
  };
}

const streamed = { accept: "text/event-stream" };
const question = { text: "Do you deliver to Ireland?" };

interface Event {
  type: string;
  data: { text?: string; item?: { reply: { text: string } }; messageId?: string; error?: { code: string } };
}

async function eventsOf(response: Response): Promise<Event[]> {
  const blocks = (await response.text()).split("\n\n").filter((block) => block.startsWith("event: "));
  return blocks.map((block) => {
    const [, type = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    return { type, data: JSON.parse(data) };
  });
}

async function listed(
  browser: TestBrowser,
  messages: string,
): Promise<{ role: string; text: string; id: string }[]> {
  return (await (await browser.get(messages)).json()).items;
}

test("streams, stores and lists a question's answer once", async () => {
  const { browser, messages } = await newChat();
  const response = await browser.post(messages, question, streamed);
  expect(response.status).toBe(201);
  const events = await eventsOf(response);
  expect(events.at(0)?.type).toBe("start");
  expect(events.at(-1)?.type).toBe("done");
  const reply = events.at(-1)?.data.item?.reply.text;
  expect(reply).toContain("Ireland");
  expect((await listed(browser, messages)).map(({ role, text }) => [role, text])).toEqual([
    ["visitor", question.text],
    ["agent", reply],
  ]);
});

test("replays a repeated message with 200 and rejects another text under its key", async () => {
  const { browser, messages } = await newChat();
  const key = { "idempotency-key": freshKey() };
  const first = await (await browser.post(messages, question, key)).json();
  const again = await browser.post(messages, question, key);
  expect(again.status).toBe(200);
  expect(await again.json()).toEqual(first);
  const replay = await browser.post(messages, question, { ...key, ...streamed });
  expect(replay.status).toBe(200);
  expect((await eventsOf(replay)).at(-1)?.data.item).toEqual(first.item);
  const conflict = await browser.post(messages, { text: "Something else" }, key);
  expect(conflict.status).toBe(409);
  expect((await conflict.json()).error.code).toBe("idempotency_conflict");
  expect(await listed(browser, messages)).toHaveLength(2);
});

test("keeps the chats of two customers with the same keys apart", async () => {
  const [one, two] = [await newGuest(t), await newGuest(t)];
  const key = { "idempotency-key": "the-same-key-for-both" };
  const chats = await Promise.all(
    [one, two].map(async (browser) => (await (await browser.post("/api/chat/chats", {}, key)).json()).item),
  );
  expect(chats[0].id).not.toBe(chats[1].id);
  expect((await one.get(`/api/chat/chats/${chats[0].id}`)).status).toBe(200);
  for (const path of ["", "/messages", "/collection", "/files/file_0001"]) {
    const [foreign, unknown] = [
      await one.get(`/api/chat/chats/${chats[1].id}${path}`),
      await one.get(`/api/chat/chats/chat_unknown_1${path}`),
    ];
    expect(foreign.status, path).toBe(404);
    const [a, b] = [await foreign.json(), await unknown.json()];
    expect(a.error).toEqual({ ...b.error, requestId: a.error.requestId });
  }
  expect((await one.post(`/api/chat/chats/${chats[1].id}/messages`, question)).status).toBe(404);
  expect(await listed(two, `/api/chat/chats/${chats[1].id}/messages`)).toEqual([]);
});

test("answers fifty requests under one key with one chat, message and reply", async () => {
  const browser = await newGuest(t);
  const key = { "idempotency-key": freshKey() };
  const fifty = Array.from({ length: 50 });
  const creates = await Promise.all(fifty.map(() => browser.post("/api/chat/chats", {}, key)));
  expect(
    creates
      .map(({ status }) => status)
      .toSorted()
      .reverse(),
  ).toEqual([201, ...Array(49).fill(200)]);
  const chats = await Promise.all(creates.map(async (response) => (await response.json()).item.id));
  expect(new Set(chats).size).toBe(1);

  const messages = `/api/chat/chats/${chats[0]}/messages`;
  const sends = await Promise.all(fifty.map(() => browser.post(messages, question, key)));
  expect(
    sends
      .map(({ status }) => status)
      .toSorted()
      .reverse(),
  ).toEqual([201, ...Array(49).fill(200)]);
  expect(await listed(browser, messages)).toHaveLength(2);
}, 30_000);

test("shows a signed-in customer's chat on another device, a guest's on none", async () => {
  const [phone, desk, guest] = [t.browser(), t.browser(), t.browser()];
  await Promise.all([phone.start("kenji-mori"), desk.start("kenji-mori"), guest.start()]);
  const { chat, path } = await newChat(phone);
  expect(chat.userId).toBe("cust.kenji-mori");
  expect((await desk.get(path)).status).toBe(200);
  expect((await guest.get(path)).status).toBe(404);
});

test("forwards the channel's errors for foreign cursors and unknown files", async () => {
  const { browser, messages } = await newChat();
  const cursor = await browser.get(`${messages}?cursor=abc`);
  expect((await cursor.json()).error.code).toBe("invalid_cursor");
  const files = await browser.post(messages, { text: "look", fileIds: ["file_that_is_not_there"] });
  expect(files.status).toBe(404);
  expect((await files.json()).error.code).toBe("file_not_found");
});
