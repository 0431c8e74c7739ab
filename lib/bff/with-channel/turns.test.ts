/** Requests repeated through the BFF to a real channel: by a second tab, and after an upgrade of the BFF. */
import { afterAll, expect, inject, test } from "vitest";
import { Lab } from "../../../channel/lab/lab-client.ts";
import { eventsOf, textOf } from "../../chat-client/testing/streams.ts";
import { newGuest } from "../testing/hostile-set-up.ts";
import { freshKey, startTestBff, type TestBrowser, testEnvironment } from "../testing/test-bff.ts";

const channel = inject("channel");
const lab = new Lab(channel);
const t = startTestBff(testEnvironment(channel));
afterAll(() => t.stop());

async function newChat() {
  const browser = await newGuest(t);
  const { item } = await (await browser.post("/api/chat/chats", { locale: "en" })).json();
  return { browser, chatId: item.id, messages: `/api/chat/chats/${item.id}/messages` };
}

const streamed = { accept: "text/event-stream" };

const listed = async (browser: TestBrowser, messages: string) =>
  (await (await browser.get(messages)).json()).items;

test("attaches a second tab's repeated request to the running reply", async () => {
  const { browser, chatId, messages } = await newChat();
  const text = "one two three four five six seven eight nine ten";
  await lab.reply({ text, holdsAfter: 2 }, chatId);
  const headers = { ...streamed, "idempotency-key": freshKey() };
  const send = () => browser.post(messages, { text: "count" }, headers);
  const first = await send();
  const reader = first.body?.getReader();
  let shown = "";
  while (!shown.includes("event: delta")) shown += Buffer.from((await reader?.read())?.value ?? []);
  // The reply is in progress, so the second request attaches to it.
  const second = await send();
  expect([first.status, second.status]).toEqual([201, 200]);
  const joined = second.text();
  await lab.continueReply(chatId);
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
    shown += Buffer.from(piece.value);
  const ends = [shown, await joined].map((stream) => {
    const events = eventsOf(stream);
    expect(events.filter(({ type }) => type !== "delta").map(({ type }) => type)).toEqual(["start", "done"]);
    expect(textOf(events)).toBe(text);
    return events.at(-1);
  });
  expect(ends[0]).toEqual(ends[1]);
  expect(await listed(browser, messages)).toHaveLength(2);
});

test("repeats the same operation after an upgrade between attempt and retry", async () => {
  const environment = testEnvironment(channel);
  const secret = `the new secret of the upgraded process,${environment["SESSION_SECRET"]}`;
  const after = startTestBff({ ...environment, SESSION_SECRET: secret });
  const [old, upgraded] = [await newGuest(t), after.browser()];
  upgraded.cookie = old.cookie;

  /** The outbox repeats the request, which another version of the page may serialise differently. */
  async function twice(path: string, body: BodyInit, rewritten: BodyInit) {
    const type = typeof body === "string" ? { "content-type": "application/json" } : {};
    const headers = { ...type, "idempotency-key": freshKey() };
    const first = await old.send(path, { method: "POST", body, headers });
    const again = await upgraded.send(path, { method: "POST", body: rewritten, headers });
    expect([first.status, again.status], path).toEqual([201, 200]);
    const [one, two] = [await first.json(), await again.json()];
    expect(two, path).toEqual(one);
    return one.item;
  }
  const form = () => {
    const upload = new FormData();
    upload.append("file", new Blob(["A note"], { type: "text/plain" }), "note.txt");
    return upload;
  };

  const { id: chatId } = await twice("/api/chat/chats", '{"locale":"en"}', "{}");
  const path = `/api/chat/chats/${chatId}`;
  const file = await twice(`${path}/files`, form(), form());
  await lab.reply({ text: "Shall I pass you on?", handoffOffer: true }, chatId);
  const fileIds = JSON.stringify([file.id]);
  const turn = await twice(
    `${path}/messages`,
    `{"text":"Gr\u00fc\u00dfe","fileIds":${fileIds}}`,
    `{ "fileIds": ${fileIds},\n "text": "Gr\\u00fc\\u00dfe" }`,
  );
  const { confirmationId } = turn.reply.handoffOffer;
  const email = "customer@example.com";
  await twice(
    `${path}/handoff`,
    JSON.stringify({ confirmationId, email }),
    JSON.stringify({ locale: "en", email, confirmationId }),
  );
  await after.stop();
});
