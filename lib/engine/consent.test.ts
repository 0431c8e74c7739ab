import { expect, onTestFinished, test } from "vitest";
import { createChat } from "./create-chat.ts";
import { memoryArea } from "./storage/storage.ts";
import { aChat, aFile } from "./testing/builders.ts";
import { aChatPage, guestSession, type TestPage } from "./testing/chat-page.ts";
import { type MemoryBrowser, memoryBrowser } from "./testing/memory-browser.ts";
import { storedTexts } from "./testing/stored-messages.ts";

const chatId = "chat_00000001";
const entry = "shop-chat:1:browser:consent";
const chat = aChat({ id: chatId });
const sends = `POST /chats/${chatId}/messages`;
const note = () => new File(["x"], "note.txt");

/** A page that asks for consent to version 2, in a chat that has been read. */
async function askingPage(earlier?: Pick<MemoryBrowser, "local" | "tab">) {
  const bodies: unknown[] = [];
  const page = await aChatPage(
    (request, { body }) => {
      if (request === sends) bodies.push(JSON.parse(String(body)));
      if (request === `GET /chats/${chatId}`) return Response.json({ item: chat });
      if (request === `GET /chats/${chatId}/messages/latest`)
        return Response.json({ items: [], starts: [null], first: 0, nextCursor: null });
      return undefined;
    },
    { chatId, consent: "2", ...(earlier && { earlier: { local: earlier.local, tab: memoryArea() } }) },
  );
  await expect.poll(() => page.chat.getState().conversation.history.state).toBe("ready");
  return { ...page, bodies };
}

const consentOf = ({ chat: { getState } }: Pick<TestPage, "chat">) => getState().consent;
const uploadsOf = ({ chat: { getState } }: Pick<TestPage, "chat">) =>
  getState().uploads.map(({ state }) => state.state);

/** Tries to send a message with a file that is still to be uploaded. */
function sendWithFile({ chat }: TestPage): void {
  chat.attach([note()]);
  chat.setText("See this");
  chat.send();
}

/** Lets the page's uploads end when `release` is called. */
function slowUploads({ browser }: TestPage, file = aFile({ chatId, filename: "note.txt" })) {
  const { promise, resolve } = Promise.withResolvers<void>();
  browser.fetchWithProgress = () => () => promise.then(() => Response.json({ item: file }, { status: 201 }));
  return { file, release: resolve };
}

test("holds a message back, stores it, and sends it once when the customer agrees", async () => {
  const page = await askingPage();
  expect(consentOf(page)).toEqual({ state: "needed" });
  page.chat.setText("Hello");
  expect(page.chat.send()).toBe(false);
  expect(page.chat.send()).toBe(false);
  expect(consentOf(page)).toEqual({ state: "asked", times: 2 });
  expect(page.storage.read(`draft:${chatId}`)).toContain("Hello");
  expect(page.requests).not.toContain(sends);
  page.chat.agree();
  expect([consentOf(page), page.browser.local.read(entry)]).toEqual([{ state: "given" }, "2"]);
  await expect.poll(() => page.bodies).toEqual([{ text: "Hello" }]);
  expect(page.chat.send("And one more")).toBe(true);
});

test("sends a message with a file once the file is uploaded, without another press", async () => {
  const page = await askingPage();
  const { file, release } = slowUploads(page);
  sendWithFile(page);
  expect(uploadsOf(page)).toEqual(["held"]);
  page.chat.agree();
  expect(uploadsOf(page)).toEqual(["uploading"]);
  release();
  await expect.poll(() => page.bodies).toEqual([{ text: "See this", fileIds: [file.id] }]);
  expect(page.chat.getState()).toMatchObject({ draft: { text: "", files: [] }, uploads: [] });
});

test("uploads a chosen file when the customer agrees, and does not send it", async () => {
  const page = await askingPage();
  slowUploads(page).release();
  page.chat.attach([note()]);
  expect(consentOf(page)).toEqual({ state: "asked", times: 1 });
  page.chat.agree();
  await expect.poll(() => page.chat.getState().draft.files).toHaveLength(1);
  expect(page.bodies).toEqual([]);
});

test("does not send a text that changes after the customer has agreed", async () => {
  const page = await askingPage();
  const { release } = slowUploads(page);
  sendWithFile(page);
  page.chat.agree();
  page.chat.setText("See this, and");
  release();
  await expect.poll(() => page.chat.getState().draft.files).toHaveLength(1);
  expect(page.bodies).toEqual([]);
});

test("keeps everything in the draft when the customer refuses, and asks again", async () => {
  const page = await askingPage();
  page.chat.send("Hello");
  page.chat.attach([note()]);
  page.chat.refuse();
  expect(consentOf(page)).toEqual({ state: "needed" });
  expect([page.chat.getState().draft.text, uploadsOf(page)]).toEqual(["Hello", ["held"]]);
  page.chat.send();
  expect(consentOf(page)).toEqual({ state: "asked", times: 1 });
  expect(page.browser.local.read(entry)).toBeNull();
});

test("sends nothing that was written in another conversation", async () => {
  const page = await askingPage();
  page.chat.send("Hello");
  page.chat.newChat();
  await expect.poll(() => consentOf(page)).toEqual({ state: "needed" });
  page.chat.agree();
  expect(page.chat.getState().conversation.pending).toEqual([]);
  expect(page.chat.getState().draft.text).toBe("Hello");
});

test("sends what the customer agreed to before the server has named them", async () => {
  const session = Promise.withResolvers<Response>();
  const requests: string[] = [];
  const browser = memoryBrowser({
    fetch(address) {
      requests.push(address);
      return address.endsWith("/session") ? session.promise : new Promise(() => undefined);
    },
  });
  const page = createChat({ api: "/api/chat", locale: "en", consent: "2", browser });
  onTestFinished(page.close);
  page.start();
  page.send("Hello");
  page.agree();
  session.resolve(guestSession());
  await expect.poll(() => requests).toEqual(["/api/chat/session", "/api/chat/chats"]);
  expect(page.getState().conversation.pending).toMatchObject([{ record: { text: "Hello" } }]);
});

/** Two tabs that are asked for consent, each for its text. */
async function twoAskingTabs(texts: readonly [string, string]) {
  const one = await askingPage();
  const other = await askingPage(one.browser);
  const tabs = [one, other] as const;
  for (const [index, { chat: asking }] of tabs.entries()) {
    asking.setText(texts[index] ?? "");
    asking.send();
    const draft = one.browser.local.read(`shop-chat:1:guest:draft:${chatId}`);
    tabs[1 - index]?.browser.writeElsewhere(`shop-chat:1:guest:draft:${chatId}`, draft);
  }
  return { one, other };
}

test("sends what each of two tabs holds when the customer agrees in one", async () => {
  const { one, other } = await twoAskingTabs(["Do you deliver?", "Is it heavy?"]);
  expect(one.chat.getState().draft.text).toBe("Do you deliver?");
  one.chat.agree();
  other.browser.writeElsewhere(entry, "2");
  expect([consentOf(one), consentOf(other)]).toEqual([{ state: "given" }, { state: "given" }]);
  expect(storedTexts(one.storage).sort()).toEqual(["Do you deliver?", "Is it heavy?"]);
  expect(other.chat.getState().draft.text).toBe("");
});

test("sends the same draft once when the customer agrees in two tabs", async () => {
  const { one, other } = await twoAskingTabs(["Do you deliver?", "Do you deliver?"]);
  one.chat.agree();
  other.chat.agree();
  other.browser.writeElsewhere(entry, "2");
  await expect.poll(() => [...one.bodies, ...other.bodies]).toEqual([{ text: "Do you deliver?" }]);
  expect(storedTexts(one.storage)).toEqual(["Do you deliver?"]);
});

test("asks nothing where another tab has the agreement, and sends no draft that nobody sent", async () => {
  const page = await askingPage();
  page.chat.setText("Half a question");
  page.browser.writeElsewhere(entry, "2");
  expect(consentOf(page)).toEqual({ state: "given" });
  expect(storedTexts(page.storage)).toEqual([]);
});

test("asks again for another version, and nothing without one", async () => {
  const page = await askingPage();
  page.chat.agree();
  page.chat.setConsent("2");
  expect(consentOf(page)).toEqual({ state: "given" });
  page.chat.setConsent("3");
  expect(page.chat.send("Again")).toBe(false);
  page.chat.setConsent(null);
  expect(consentOf(page)).toEqual({ state: "given" });
  expect(page.chat.getState().draft.text).toBe("Again");
});

test("does not ask where this version was agreed to, from the first state on", async () => {
  const browser = memoryBrowser();
  browser.local.write(entry, "2");
  const page = createChat({ api: "/api/chat", locale: "en", consent: "2", browser });
  onTestFinished(page.close);
  expect(page.getState().consent).toEqual({ state: "given" });
  expect(page.send("Hello")).toBe(true);
});

test("does not send a message whose file was removed after the customer has agreed", async () => {
  const page = await askingPage();
  slowUploads(page);
  sendWithFile(page);
  page.chat.agree();
  const [upload] = page.chat.getState().uploads;
  if (upload !== undefined) page.chat.detach({ kind: "upload", upload });
  await expect.poll(() => page.chat.getState().uploads).toEqual([]);
  await new Promise(setImmediate);
  expect(page.bodies).toEqual([]);
  expect(page.chat.getState().draft.text).toBe("See this");
});

test("asks for a message that the page sends, also when the page sets the same version again", async () => {
  const page = await askingPage();
  page.chat.setText("half a question");
  expect(page.chat.send("Hello")).toBe(false);
  page.chat.setConsent("2");
  expect(consentOf(page)).toEqual({ state: "asked", times: 1 });
  page.chat.agree();
  await expect.poll(() => page.bodies).toEqual([{ text: "half a question\nHello" }]);
});
