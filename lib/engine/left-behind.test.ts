import { expect, test } from "vitest";
import { aField } from "../chat-api/testing/builders.ts";
import { createOutboxStore } from "./outbox/outbox-store.ts";
import { createStorages } from "./storage/storage.ts";
import { aChat, aCollection, aFile, aMessage, aRecord, aRequest } from "./testing/builders.ts";
import { type Answers, aChatPage, guestSession, type PageOptions, refusal } from "./testing/chat-page.ts";
import { type MemoryBrowser, memoryBrowser } from "./testing/memory-browser.ts";
import { storedTexts, storeMessages } from "./testing/stored-messages.ts";

const guestChat = "chat_00000001";
const customerChat = "chat_00000002";
const ada = () => Response.json({ item: { caller: "tag-of-42", customer: { id: "42", name: "Ada" } } });

/** The answers for a browser whose guest's requests fail until `signIn`; then the customer is Ada. */
function aServer(ofGuest: Answers = () => undefined) {
  let isAda = false;
  const created: unknown[] = [];
  const answers: Answers = (request, init) => {
    if (request === "POST /session") return isAda ? ada() : guestSession();
    if (!isAda)
      return (
        ofGuest(request, init) ??
        (request.startsWith("POST") ? refusal("service_unavailable", 40) : undefined)
      );
    if (request !== "POST /chats") return undefined;
    created.push(JSON.parse(String(init.body)));
    return Response.json({ item: aChat({ id: customerChat }) }, { status: 201 });
  };
  const signIn = () => {
    isAda = true;
  };
  return { answers, created, signIn };
}

const pendingOf = ({ chat: { getState } }: { chat: { getState: PageChat["getState"] } }) =>
  getState().conversation.pending.map(({ record: { text }, delivery }) => [
    text,
    delivery.state === "refused" ? delivery.failure.code : delivery.state,
  ]);
type PageChat = Awaited<ReturnType<typeof aChatPage>>["chat"];

const guestOf = (browser: MemoryBrowser) => createStorages(browser, "/api/chat").of("guest");
const notSent = (text: string) => [[text, "signed_in"]];

test("shows a guest's message that still waits to the customer who signs in, who sends it", async () => {
  const { answers, created, signIn } = aServer();
  const page = await aChatPage(answers);
  page.chat.send("Where is my order?");
  await expect.poll(() => pendingOf(page)).toEqual([["Where is my order?", "waiting"]]);
  signIn();
  page.chat.start();
  await expect.poll(() => pendingOf(page)).toEqual(notSent("Where is my order?"));
  expect(guestOf(page.browser).names("")).toEqual([]);
  expect(created).toEqual([]);
  page.chat.retry(page.chat.getState().conversation.pending.map(({ record }) => record.key));
  await expect.poll(() => page.requests.at(-1)).toBe(`POST /chats/${customerChat}/messages`);
  expect(created).toHaveLength(1);
});

test("shows it once on the page after the sign-in, in two tabs, until the customer removes it", async () => {
  const { answers, signIn } = aServer();
  const earlier = memoryBrowser();
  storeMessages(guestOf(earlier), aRecord({ chatId: guestChat, text: "Where is my order?" }));
  signIn();
  const options: PageOptions = { earlier };
  const first = await aChatPage(answers, options);
  await expect.poll(() => pendingOf(first)).toEqual(notSent("Where is my order?"));
  const second = await aChatPage(answers, options);
  expect(pendingOf(second)).toEqual(notSent("Where is my order?"));
  const customer = createStorages(earlier, "/api/chat").of("tag-of-42");
  expect(storedTexts(customer)).toEqual(["Where is my order?"]);
  const key = first.chat.getState().conversation.pending[0]?.record.key ?? "";
  first.chat.withdraw(key);
  second.browser.writeElsewhere(`shop-chat:1:tag-of-42:message:${key}`, null);
  expect([pendingOf(first), pendingOf(second)]).toEqual([[], []]);
  expect(pendingOf(await aChatPage(answers, options))).toEqual([]);
});

test("begins one new chat in two tabs that do not see each other's writes yet", async () => {
  const { answers, signIn } = aServer();
  const record = aRecord({ chatId: guestChat });
  signIn();
  const keys = await Promise.all(
    [memoryBrowser(), memoryBrowser()].map(async (earlier) => {
      storeMessages(guestOf(earlier), record);
      const page = await aChatPage(answers, { earlier });
      await expect.poll(() => pendingOf(page)).toEqual(notSent(record.text));
      return page.chat.getState().conversation.createKey;
    }),
  );
  expect(new Set(keys).size).toBe(1);
});

test("leaves a message alone that another tab has taken over and sends", async () => {
  const { answers, signIn } = aServer();
  const earlier = memoryBrowser();
  const customer = createStorages(earlier, "/api/chat").of("tag-of-42");
  const record = aRecord({ chatId: null, createdAt: Date.now() });
  // The other tab has moved it to the customer. This tab does not see yet that the guest has it no more.
  for (const storage of [guestOf(earlier), customer]) storeMessages(storage, record);
  signIn();
  const page = await aChatPage(
    (request, init) =>
      request === "POST /chats" ? refusal("service_unavailable", 40) : answers(request, init),
    {
      earlier,
    },
  );
  await expect.poll(() => guestOf(page.browser).names("")).toEqual([]);
  const { createKey } = record;
  expect(createOutboxStore(customer, () => undefined).find(record.key)).toMatchObject({
    createKey,
    refusal: null,
  });
});

test("names the files that a guest was sending, and keeps the text that went with one", async () => {
  const { answers, signIn } = aServer();
  const page = await aChatPage(answers);
  const file = aFile({ chatId: guestChat, filename: "hub.jpg" });
  storeMessages(guestOf(page.browser), aRecord({ chatId: guestChat, text: "See this", files: [file] }));
  page.chat.attach([new File(["x"], "note.txt")]);
  await expect.poll(() => page.requests).toContain("POST /chats");
  signIn();
  page.chat.start();
  await expect.poll(() => pendingOf(page)).toEqual(notSent("See this"));
  expect(page.chat.getState().draft).toMatchObject({ text: "", files: [] });
  expect([...page.chat.getState().draft.lost].sort()).toEqual(["hub.jpg", "note.txt"]);
});

test("shows the answers of a guest's form that still waits as a message", async () => {
  const request = aRequest({
    fields: [
      { fieldId: "name", required: true },
      { fieldId: "bike", required: true },
    ],
  });
  const collection = aCollection({ fields: [aField({ id: "name" }), aField({ id: "bike" })], request });
  const { answers, signIn } = aServer((asked) => {
    if (asked === `GET /chats/${guestChat}`) return Response.json({ item: aChat({ id: guestChat }) });
    if (asked === `GET /chats/${guestChat}/collection`) return Response.json({ item: collection });
    if (asked !== `GET /chats/${guestChat}/messages/before`) return undefined;
    const items = [aMessage({ chatId: guestChat, collection })];
    return Response.json({ items, nextCursor: null });
  });
  const page = await aChatPage(answers, { chatId: guestChat });
  await expect.poll(() => page.chat.getState().conversation.collection).not.toBeNull();
  page.chat.answerForm("name", "Ana");
  page.chat.answerForm("bike", "Kestrel");
  page.chat.submitForm();
  await expect.poll(() => page.requests).toContain(`POST /chats/${guestChat}/collection`);
  signIn();
  page.chat.start();
  await expect.poll(() => pendingOf(page)).toEqual(notSent("Ana\nKestrel"));
});
