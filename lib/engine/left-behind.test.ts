import { expect, test } from "vitest";
import { aField } from "../chat-api/testing/builders.ts";
import { createOutboxStore } from "./outbox/outbox-store.ts";
import { createStorages } from "./storage/storage.ts";
import { currentName, draftName } from "./storage-names.ts";
import { aChat, aCollection, aFile, aMessage, aRecord, aRequest } from "./testing/builders.ts";
import { type Answers, aChatPage, guestSession, refusal } from "./testing/chat-page.ts";
import { type MemoryBrowser, memoryBrowser } from "./testing/memory-browser.ts";
import { storeMessages } from "./testing/stored-messages.ts";

const guestChat = "chat_00000001";
const ada = () => Response.json({ item: { caller: "tag-of-42", customer: { id: "42", name: "Ada" } } });

/** The answers for a browser whose guest's requests fail until `signIn`; then the customer is Ada. */
function aServer(ofGuest: Answers = () => undefined) {
  let isAda = false;
  const answers: Answers = (request, init) => {
    if (request === "POST /session") return isAda ? ada() : guestSession();
    const answer = isAda ? undefined : ofGuest(request, init);
    return answer ?? (request.startsWith("POST") ? refusal("service_unavailable", 40) : undefined);
  };
  const signIn = () => {
    isAda = true;
  };
  return { answers, signIn };
}

type Page = Awaited<ReturnType<typeof aChatPage>>;
const draftOf = ({ chat }: Page) => chat.getState().draft.text;
const guestOf = (browser: MemoryBrowser) => createStorages(browser, "/api/chat").of("guest");

test("leaves a message alone that another tab has taken over and sends", async () => {
  const { answers, signIn } = aServer();
  const earlier = memoryBrowser();
  const customer = createStorages(earlier, "/api/chat").of("tag-of-42");
  const record = aRecord({ chatId: null, createdAt: Date.now() });
  // The other tab has moved it to the customer. This tab does not see yet that the guest has it no more.
  for (const storage of [guestOf(earlier), customer]) storeMessages(storage, record);
  signIn();
  const page = await aChatPage(answers, { earlier });
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
  await expect.poll(() => draftOf(page)).toBe("See this");
  const { files, lost } = page.chat.getState().draft;
  expect([files, [...lost].sort()]).toEqual([[], ["hub.jpg", "note.txt"]]);
});

test("puts a guest's short text before a longer one that contains it", async () => {
  const { answers, signIn } = aServer();
  const earlier = memoryBrowser();
  storeMessages(guestOf(earlier), aRecord({ chatId: guestChat, text: "ok" }));
  const customer = createStorages(earlier, "/api/chat").of("tag-of-42");
  const chatId = "chat_00000002";
  customer.write(currentName, JSON.stringify({ chatId, createKey: "create-0000-2" }));
  customer.write(draftName(chatId), JSON.stringify({ text: "Please look at this", files: [], lost: [] }));
  signIn();
  const page = await aChatPage(answers, { earlier });
  await expect.poll(() => draftOf(page)).toBe("ok\nPlease look at this");
});

/** A guest's page on which the answers of a form are being sent. */
async function aPageWithForm() {
  const fieldIds = ["name", "bike"];
  const collection = aCollection({
    fields: fieldIds.map((id) => aField({ id })),
    request: aRequest({ fields: fieldIds.map((fieldId) => ({ fieldId, required: true })) }),
  });
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
  return { page, signIn };
}

test("puts the answers of a guest's form that still waits into the message field", async () => {
  const { page, signIn } = await aPageWithForm();
  signIn();
  page.chat.start();
  await expect.poll(() => draftOf(page)).toBe("Ana\nKestrel");
});

test("puts answers and names of files there whose messages another tab has taken over before", async () => {
  const { page, signIn } = await aPageWithForm();
  page.chat.attach([new File(["x"], "note.txt")]);
  signIn();
  for (const name of guestOf(page.browser).names(""))
    page.browser.writeElsewhere(`shop-chat:1:guest:${name}`, null);
  page.chat.start();
  await expect.poll(() => draftOf(page)).toBe("Ana\nKestrel");
  expect(page.chat.getState().draft.lost).toEqual(["note.txt"]);
});
