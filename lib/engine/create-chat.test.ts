import { expect, onTestFinished, test, vi } from "vitest";
import { defaultBasePath } from "../chat-api/base-path.ts";
import { bodyOfError, ChatApiError } from "../chat-api/errors.ts";
import type { Message } from "../chat-api/message.ts";
import { aField } from "../chat-api/testing/builders.ts";
import { encodeTurnEvent, type TurnEvent } from "../chat-api/turn-events.ts";
import { aStart } from "../chat-client/testing/streams.ts";
import { createChat } from "./create-chat.ts";
import { failure } from "./failure.ts";
import * as conversationLimits from "./limits.ts";
import type { OutboxRecord } from "./outbox/outbox.ts";
import { createOutboxStore } from "./outbox/outbox-store.ts";
import type { ChatEvent } from "./state/events.ts";
import { closedBy, unreadMessagesOf } from "./state/selectors.ts";
import { createStorages } from "./storage/storage.ts";
import { changedName, entryRoot, seenName } from "./storage-names.ts";
import { aChat, aCollection, aFile, aMessage, aRecord, aRequest } from "./testing/builders.ts";
import {
  type Answers,
  aChatPage,
  guestSession,
  type PageOptions,
  refusal,
  type TestPage,
} from "./testing/chat-page.ts";
import { memoryBrowser } from "./testing/memory-browser.ts";
import { storedTexts, storeMessages } from "./testing/stored-messages.ts";

const chatId = "chat_00000001";
const otherId = "chat_00000002";
const chat = aChat({ id: chatId });
const at = (minute: number) => `2026-06-02T09:${minute}:00.000Z`;
const welcome = aMessage({ chatId, text: "How can I help?", createdAt: at(10) });
/** The customer's message as the server stores it, and its answer. */
const hello = aMessage({ chatId, role: "visitor", text: "Hello", createdAt: at(11) });
const helloToYou = aMessage({ chatId, text: "Hello to you", createdAt: at(12) });

type Send = (init: RequestInit) => Response | undefined;

/** A server with one chat. It stores or refuses a message as `send` decides. */
function aServer(send: Send = () => undefined) {
  const messages: Message[] = [welcome];
  const shown = { chat };
  return {
    messages,
    /** The chat as the server has it. */
    shown,
    answers(request: string, init: RequestInit): Response | undefined {
      if (request === "POST /chats") return Response.json({ item: chat }, { status: 201 });
      if (request === `GET /chats/${chatId}`) return Response.json({ item: shown.chat });
      if (request === `POST /chats/${chatId}/messages`) return send(init);
      if (request === `GET /chats/${chatId}/messages/news`)
        return Response.json({ items: messages, nextCursor: null });
      if (request === `GET /chats/${chatId}/messages/before`)
        return Response.json({ items: messages, nextCursor: null });
      return undefined;
    },
  };
}

/** A page that shows the server's chat and has read its messages. */
async function readyPage(send?: Send, options: PageOptions = {}, ...listed: Message[]) {
  const server = aServer(send);
  server.messages.push(...listed);
  const page = await aChatPage(server.answers, { chatId, ...options });
  await expect.poll(() => conversationOf(page).history.state).toBe("ready");
  return { ...page, ...server };
}

const conversationOf = ({ chat: { getState } }: Pick<TestPage, "chat">) => getState().conversation;
const states = (page: Pick<TestPage, "chat">) =>
  conversationOf(page).pending.map(({ delivery }) => delivery.state);
const draftOf = ({ chat: { getState } }: Pick<TestPage, "chat">) => getState().draft;

/** Sends a message and waits until it is refused. */
async function sendRefused(page: Pick<TestPage, "chat">): Promise<void> {
  page.chat.send("Hello");
  await expect.poll(() => states(page)).toEqual(["refused"]);
}

/** Polls, as when the customer returns to the page. */
async function sync({ chat: { getState }, browser }: TestPage): Promise<void> {
  await expect.poll(() => getState().conversation.history.state).toBe("ready");
  browser.dispatch("return");
}

/** A browser in which an earlier page has stored these messages and entries of the guest. */
function earlierBrowser(records: readonly OutboxRecord[], entries: Record<string, unknown> = {}) {
  const browser = memoryBrowser();
  const storage = createStorages(browser, defaultBasePath).of("guest");
  storeMessages(storage, ...records);
  for (const [name, value] of Object.entries(entries)) storage.write(name, JSON.stringify(value));
  return browser;
}

/** A turn stream with these events after its `start`. */
function streamOf(message: Message, reply: Message, ...events: TurnEvent[]): Response {
  const start = aStart({ chatId, messageId: message.id, replyId: reply.id });
  return new Response([start, ...events].map(encodeTurnEvent).join(""), {
    status: 201,
    headers: { "content-type": "text/event-stream" },
  });
}

/** A complete turn that answers the message. */
function turnOf(message: Message, reply: Message): Response {
  const done = { type: "done", item: { message, reply, chat } } as const;
  return streamOf(message, reply, { type: "delta", text: reply.text }, done);
}

const said = (page: Pick<TestPage, "chat">) => conversationOf(page).messages.map(({ text }) => text);
const firstKey = (page: Pick<TestPage, "chat">) => conversationOf(page).pending[0]?.record.key ?? "";

test.each([
  ["session_required", 1],
  ["chat_unavailable", 1],
  ["invalid_request", 2],
  ["payload_too_large", 2],
] as const)("two attempts at a message that was refused with %s use %i key(s)", async (code, count) => {
  const page = await readyPage(() => refusal(code));
  await sendRefused(page);
  const before = page.keys.length;
  page.chat.retry([firstKey(page)]);
  await expect.poll(() => page.keys.length > before && states(page)).toEqual(["refused"]);
  expect(new Set(page.keys).size).toBe(count);
});

/** A message that was given up, and may have been stored. */
const abandoned = () =>
  aRecord({ chatId, text: "Hello", afterMessageId: welcome.id, refusal: failure("connection_lost") });

test("fetches the answer to an abandoned message under its key", async () => {
  const record = abandoned();
  const page = await readyPage(() => turnOf(hello, helloToYou), { earlier: earlierBrowser([record]) });
  page.messages.push(hello);
  await sync(page);
  await expect.poll(() => said(page).at(-1)).toBe("Hello to you");
  expect(states(page)).toEqual([]);
  expect(page.keys).toEqual([record.key]);
});

test("looks for an answer before it sends a refused message again", async () => {
  const refusal = failure("operation_interrupted", { isListed: true, mode: "agent" });
  const record = aRecord({ chatId, text: "Hello", afterMessageId: welcome.id, refusal });
  const page = await readyPage(undefined, { earlier: earlierBrowser([record]) }, hello);
  expect(states(page)).toEqual(["refused"]);
  page.messages.push(helloToYou);
  page.chat.retry([record.key]);
  await expect.poll(() => states(page)).toEqual([]);
  expect(page.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
});

test("does not take the stored message of an answer that is asked again for an equal one's", async () => {
  const refusal = failure("operation_interrupted", { isListed: true, mode: "agent" });
  const ofBoth = { chatId, text: "Hello", afterMessageId: welcome.id };
  const [asked, equal] = [aRecord({ ...ofBoth, refusal }), aRecord({ ...ofBoth, attempted: false, refusal })];
  const page = await readyPage(undefined, { earlier: earlierBrowser([asked, equal]) }, hello);
  page.chat.retry([asked.key]);
  const takenIds = () => createOutboxStore(page.storage, () => undefined).find(equal.key)?.takenIds;
  await expect.poll(takenIds).toEqual([hello.id]);
});

test("sends an answer that is given as soon as the form is there", async () => {
  const request = aRequest({ fields: [{ fieldId: "name", required: true }] });
  const asking = aMessage({
    chatId,
    collection: aCollection({ fields: [aField({ id: "name" })], request }),
    createdAt: at(12),
  });
  const page = await readyPage(() => turnOf(hello, asking));
  const stop = page.chat.subscribe(() => {
    if (conversationOf(page).collection === null) return;
    stop();
    page.chat.answerForm("name", "Ana");
    page.chat.submitForm();
  });
  page.chat.send("Hello");
  await expect.poll(() => page.requests).toContain(`POST /chats/${chatId}/collection`);
});

test("moves the draft and unsent messages of a closed chat to a new one", async () => {
  const page = await readyPage(() => refusal("chat_closed"));
  page.chat.send("First");
  page.chat.send("Second");
  await expect.poll(() => states(page)).toEqual(["refused", "refused"]);
  page.chat.setText("Third");
  page.chat.attach([new File(["x"], "bill.pdf", { type: "application/pdf" })]);
  page.chat.startOver();
  expect(conversationOf(page).chatId).toBeNull();
  expect(draftOf(page)).toEqual({ text: "First\nSecond\nThird", files: [], lost: ["bill.pdf"] });
  expect(page.chat.getState().uploads).toEqual([]);
  expect(storedTexts(page.storage)).toEqual([]);
  page.chat.openChat(chatId);
  expect(draftOf(page).text).toBe("");
});

test("puts refused messages back into the draft, in order, with or without their files", async () => {
  const file = aFile();
  const refusal = failure("invalid_request");
  const record = { chatId, refusal };
  const browser = earlierBrowser([
    aRecord({ ...record, key: "key-0000-000a", text: "First", files: [file] }),
    aRecord({ ...record, key: "key-0000-000b", text: "Second" }),
    aRecord({ ...record, key: "key-0000-000c", text: "Third", files: [file] }),
  ]);
  const page = await aChatPage(aServer().answers, { chatId, earlier: browser });
  page.chat.setText("half a question");
  page.chat.edit(["key-0000-000a", "key-0000-000b"]);
  expect(draftOf(page)).toEqual({ text: "First\nSecond\nhalf a question", files: [file], lost: [] });
  page.chat.edit(["key-0000-000c"], { withoutFiles: true });
  expect(draftOf(page)).toMatchObject({ files: [file], lost: [file.filename] });
  expect(states(page)).toEqual([]);
});

test("sends an earlier page's message once a blocked storage works, at another tab's write", async () => {
  const { local, tab } = earlierBrowser([aRecord({ chatId: null, createdAt: Date.now() })]);
  let isBlocked = true;
  const orBlocked =
    <A extends unknown[], T>(access: (...args: A) => T) =>
    (...args: A): T => {
      if (isBlocked) throw new DOMException("Access is denied.", "SecurityError");
      return access(...args);
    };
  const blocked = { ...local, read: orBlocked(local.read), names: orBlocked(local.names) };
  const page = await aChatPage(undefined, { earlier: { tab, local: blocked } });
  isBlocked = false;
  page.browser.writeElsewhere(`${entryRoot(defaultBasePath)}guest:${seenName(chatId)}`, welcome.id);
  await expect.poll(() => page.requests).toContain("POST /chats");
});

test("goes on with the files on screen while another conversation's chat is created anew", async () => {
  const waiting = aRecord({ chatId: null, createdAt: Date.now() });
  const { answers } = aServer();
  let isGone = false;
  const page = await aChatPage(
    (request, init) => {
      if (request !== "POST /chats") return answers(request, init);
      if (!isGone) throw new TypeError("Failed to fetch");
      return page.keys.includes(`${waiting.createKey}.2`) ? undefined : refusal("idempotency_resource_gone");
    },
    { chatId, earlier: earlierBrowser([waiting]) },
  );
  page.chat.attach([new File(["x"], "hub.txt")]);
  isGone = true;
  page.browser.dispatch("online");
  await expect.poll(() => page.keys, { timeout: 3_000 }).toContain(`${waiting.createKey}.2`);
  expect(page.chat.getState().uploads).toMatchObject([{ state: { state: "uploading" } }]);
  expect(draftOf(page).lost).toEqual([]);
});

test("names a file once whose upload ended because the page closed the chat", async () => {
  const { answers } = aServer();
  const page = await aChatPage(answers);
  page.chat.attach([new File(["x"], "hub.txt")]);
  await expect.poll(() => conversationOf(page).chatId).toBe(chatId);
  page.chat.close();
  const reloaded = await aChatPage(answers, { earlier: page.browser });
  expect(draftOf(reloaded).lost).toEqual(["hub.txt"]);
});

test("a duplicated tab does not mark the uploads of this tab as lost", async () => {
  const page = await aChatPage();
  const { createKey } = conversationOf(page);
  page.chat.attach([new File(["x"], "hub.png", { type: "image/png" })]);
  const copied = JSON.stringify({ text: "Hi", lost: ["notes.txt", "hub.png"] });
  page.browser.writeElsewhere(`shop-chat:1:guest:draft:${createKey}`, copied);
  expect(draftOf(page)).toEqual({ text: "Hi", files: [], lost: ["notes.txt"] });
  expect(page.storage.read(`draft:${createKey}`)).not.toContain("hub.png");
});

test("a reload reopens a deleted chat until its unsent texts move to a new one", async () => {
  const earlier = earlierBrowser([aRecord({ chatId, text: "First", attempted: false })], {
    current: { chatId, createKey: "create-0000-1" },
    [`draft:${chatId}`]: { text: "Second", files: [] },
  });
  const page = await aChatPage(
    (request) => (request === "POST /session" ? undefined : refusal("chat_not_found")),
    { earlier },
  );
  await expect.poll(() => conversationOf(page).history.failure?.code).toBe("chat_not_found");
  // The next page opens this conversation again.
  expect(JSON.parse(page.storage.read("current") ?? "")).toMatchObject({ chatId });
  expect(states(page)).toEqual(["refused"]);
  page.chat.startOver();
  expect(draftOf(page).text).toBe("First\nSecond");
  expect(storedTexts(page.storage)).toEqual([]);
});

test.each([
  ["rate_limited", ["refused", "refused"], "First\nSecond"],
  // The first message may have reached the server.
  ["upstream_unreachable", ["waiting", "refused"], "Second"],
] as const)("when a chat closes after %s, its messages are %j", async (code, expected, taken) => {
  const events: ChatEvent[] = [];
  const page = await readyPage(() => refusal(code, 40), { onEvent: (event) => events.push(event) });
  page.chat.send("First");
  await expect.poll(() => states(page)).toEqual(["waiting"]);
  page.chat.send("Second");
  page.shown.chat = { ...chat, mode: "resolved" };
  page.chat.reload();
  await expect.poll(() => states(page)).toEqual(expected);
  const refused = expected.filter((state) => state === "refused");
  const isError = { type: "error", chatId, code: "chat_closed" };
  await expect.poll(() => events.filter(({ type }) => type === "error")).toEqual(refused.map(() => isError));
  page.chat.startOver();
  expect(draftOf(page).text).toBe(taken);
});

test("a stored message still waits for its answer when its chat closes", async () => {
  const { error } = bodyOfError(new ChatApiError("service_unavailable", { retryAfterSeconds: 40 }), "req_1");
  const page = await readyPage(() => streamOf(hello, welcome, { type: "error", error }));
  page.chat.send("Hello");
  await expect.poll(() => states(page)).toEqual(["waiting"]);
  page.messages.push(hello);
  page.shown.chat = { ...chat, mode: "resolved" };
  page.chat.reload();
  await expect.poll(() => closedBy(conversationOf(page))).toBe("chat_closed");
  expect(states(page)).toEqual(["waiting"]);
  page.chat.startOver();
  expect(draftOf(page).text).toBe("");
});

test("waits as long as the server asked, even when the network returns", async () => {
  const page = await readyPage(() => refusal("rate_limited", 40));
  page.chat.send("Hello");
  await expect.poll(() => states(page)).toEqual(["waiting"]);
  const before = page.requests.length;
  page.browser.dispatch("online");
  await new Promise(setImmediate);
  expect(states(page)).toEqual(["waiting"]);
  expect(page.requests).toHaveLength(before);
});

test("shows no unread mark for messages read before the chat was reopened", async () => {
  const server = aServer();
  const unread = aMessage({ chatId, text: "Are you there?", createdAt: at(11) });
  server.messages.push(unread);
  const earlier = earlierBrowser([], { [`chat:${chatId}`]: 1 });
  createStorages(earlier, defaultBasePath).of("guest").write(`seen:${chatId}`, welcome.id);
  const page = await aChatPage(server.answers, { chatId, earlier });
  await expect.poll(() => conversationOf(page).unreadAfterId).toBe(welcome.id);
  page.chat.markSeen(unread.id);
  expect(page.chat.chats()).toMatchObject([{ chatId, seenId: unread.id }]);
  page.chat.newChat();
  page.chat.openChat(chatId);
  expect(conversationOf(page).messages).toEqual([welcome, unread]);
  expect(conversationOf(page).unreadAfterId).toBeNull();
});

test("shows nothing as unread of a chat that another tab has read further, before it is read again", async () => {
  const page = await readyPage();
  expect(unreadMessagesOf(conversationOf(page))).toEqual([welcome]);
  page.chat.newChat();
  page.browser.writeElsewhere(`shop-chat:1:guest:seen:${chatId}`, "message_later");
  page.chat.openChat(chatId);
  expect(conversationOf(page).messages).toEqual([welcome]);
  expect(unreadMessagesOf(conversationOf(page))).toEqual([]);
});

test("moves the messages of a chat that could not be created to the next one", async () => {
  const page = await aChatPage((request) =>
    request === "POST /chats" ? refusal("chat_unavailable") : undefined,
  );
  await sendRefused(page);
  const { createKey } = conversationOf(page);
  page.chat.newChat();
  expect(conversationOf(page).createKey).not.toBe(createKey);
  expect(conversationOf(page).pending.map(({ record }) => record.text)).toEqual(["Hello"]);
});

test("shows another tab's message until the list, which is read again, holds it", async () => {
  const page = await readyPage();
  const { promise: sent, resolve: end } = Promise.withResolvers<void>();
  onTestFinished(() => end());
  void page.browser.locks?.request(`shop-chat:send:${chatId}`, () => sent);
  const store = (name: string, value: object | null) =>
    page.browser.writeElsewhere(`shop-chat:1:guest:${name}`, value && JSON.stringify(value));
  const createdAt = Date.now();
  store("attempt:key-of-another-tab", { attempted: true, createdAt });
  store("message:key-of-another-tab", { createKey: "create-0000-1", chatId, text: "Hello", createdAt });
  expect(states(page)).toEqual(["sending"]);
  let isShown = true;
  page.chat.subscribe(() => {
    const { pending, messages } = conversationOf(page);
    const texts = [...pending.map(({ record }) => record), ...messages].map(({ text }) => text);
    isShown &&= texts.includes(hello.text);
  });
  page.messages.push(hello, helloToYou);
  store("message:key-of-another-tab", null);
  store("attempt:key-of-another-tab", null);
  page.chat.send("One more thing");
  await expect.poll(() => pendingTexts(page.chat)).toEqual(["One more thing"]);
  expect(conversationOf(page).messages).toContainEqual(helloToYou);
  expect(isShown).toBe(true);
});

test("asks for its turn to send before the page draws the message", async () => {
  const page = await readyPage();
  const asked = vi.spyOn(page.browser.locks as LockManager, "request");
  const askedAtDrawing: number[] = [];
  page.chat.subscribe(() => askedAtDrawing.push(asked.mock.calls.length));
  page.chat.send("Hello");
  expect(askedAtDrawing[0]).toBe(1);
});

test("does not ask for its turn to send before the tab that has just stored the message", async () => {
  const page = await readyPage();
  const asked = vi.spyOn(page.browser.locks as LockManager, "request");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const store = (name: string, value: object) =>
    page.browser.writeElsewhere(`shop-chat:1:guest:${name}`, JSON.stringify(value));
  // Written while the customer types there, so its pause ends before the message's.
  store(`draft:${chatId}`, { text: "Hel" });
  vi.advanceTimersByTime(1_600);
  const record = aRecord({ chatId, createdAt: Date.now() });
  store(`message:${record.key}`, record);
  await vi.advanceTimersByTimeAsync(1_600);
  expect(asked).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(800);
  expect(asked.mock.calls[0]?.[0]).toBe(`shop-chat:send:${chatId}`);
});

test("asks for its turn at once in a chat that another tab has created for its message", async () => {
  const page = await readyPage();
  page.chat.newChat();
  // The other tab sends, and creates the chat.
  const { createKey } = conversationOf(page);
  const { promise: created, resolve: end } = Promise.withResolvers<void>();
  onTestFinished(() => end());
  await new Promise<void>((holds) => {
    void page.browser.locks?.request(`shop-chat:send:${createKey}`, () => {
      holds();
      return created;
    });
  });
  page.chat.send("Hello");
  const record = conversationOf(page).pending[0]?.record;
  const asked = vi.spyOn(page.browser.locks as LockManager, "request");
  page.browser.writeElsewhere(
    `shop-chat:1:guest:in:${record?.key}`,
    JSON.stringify({ ...record, chatId: "chat_created_elsewhere" }),
  );
  expect(asked.mock.calls.map(([name]) => name)).toContain("shop-chat:send:chat_created_elsewhere");
});

test("leaves a message to the tab that has attempted it when its chat closes", async () => {
  const page = await readyPage();
  const { promise: sent, resolve: end } = Promise.withResolvers<void>();
  onTestFinished(() => end());
  void page.browser.locks?.request(`shop-chat:send:${chatId}`, () => sent);
  const store = (name: string, value: object) =>
    page.browser.writeElsewhere(`shop-chat:1:guest:${name}`, JSON.stringify(value));
  const record = aRecord({ chatId, attempted: false, createdAt: Date.now() });
  store(`message:${record.key}`, record);
  expect(states(page)).toEqual(["queued"]);
  store(`attempt:${record.key}`, { ...record, attempted: true });
  expect(states(page)).toEqual(["sending"]);
  page.shown.chat = { ...chat, mode: "resolved" };
  page.browser.writeElsewhere("shop-chat:1:guest:changed", `${chatId} 1`);
  await expect.poll(() => closedBy(conversationOf(page))).toBe("chat_closed");
  expect(states(page)).toEqual(["sending"]);
  expect(createOutboxStore(page.storage, () => undefined).find(record.key)?.refusal).toBeNull();
});

test("reads the chat again that another tab has changed, and no other", async () => {
  const page = await readyPage();
  page.messages.push(hello);
  page.browser.writeElsewhere("shop-chat:1:guest:changed", `${otherId} 1`);
  await new Promise(setImmediate);
  expect(conversationOf(page).messages).toHaveLength(1);
  page.browser.writeElsewhere("shop-chat:1:guest:changed", `${chatId} 2`);
  await expect.poll(() => conversationOf(page).messages).toHaveLength(2);
  page.browser.writeElsewhere(`shop-chat:1:guest:seen:${chatId}`, hello.id);
  await expect.poll(() => conversationOf(page).seenId).toBe(hello.id);
  // Another tab's customer may see a message before this tab has read it.
  page.browser.writeElsewhere(`shop-chat:1:guest:seen:${chatId}`, helloToYou.id);
  page.messages.push(helloToYou);
  page.browser.writeElsewhere("shop-chat:1:guest:changed", `${chatId} 3`);
  await expect.poll(() => conversationOf(page).seenId).toBe(helloToYou.id);
});

test("tells other tabs of news also before it has read the chat that another tab has created", async () => {
  const { answers, messages } = aServer();
  const page = await aChatPage((request, init) =>
    request === `GET /chats/${chatId}` ? undefined : answers(request, init),
  );
  const { createKey } = conversationOf(page);
  page.browser.writeElsewhere("shop-chat:1:guest:current", JSON.stringify({ chatId, createKey }));
  await expect.poll(() => conversationOf(page).messages).toEqual([welcome]);
  messages.push(hello);
  page.browser.dispatch("return");
  await expect.poll(() => conversationOf(page).messages).toEqual([welcome, hello]);
  expect(page.storage.read(changedName)?.split(" ")[0]).toBe(chatId);
});

test.each([
  ["2099", true],
  ["2001", false],
])("remembers the chat of a turn of %s as the team's: %s", async (year, awaitsTeam) => {
  // A repeated turn carries the chat as it was at the first answer.
  const waiting = aChat({ ...chat, mode: "waiting", updatedAt: `${year}-01-01T00:00:00.000Z` });
  const done = { type: "done", item: { message: hello, reply: null, chat: waiting } } as const;
  const page = await readyPage(() => streamOf(hello, welcome, done));
  page.chat.send("Hello");
  await expect.poll(() => conversationOf(page).pending).toEqual([]);
  expect(page.chat.chats()).toMatchObject([{ chatId, awaitsTeam, isClosed: false }]);
});

test("tells other tabs that a chat which opens is closed, and remembers what they read", async () => {
  const first = await readyPage();
  first.shown.chat = { ...chat, mode: "resolved", updatedAt: "2099-01-01T00:00:00.000Z" };
  const second = await aChatPage(first.answers, { chatId, earlier: first.browser });
  await expect.poll(() => closedBy(conversationOf(second))).toBe("chat_closed");
  expect(second.storage.read(changedName)?.split(" ")[0]).toBe(chatId);
  // A tab that did not know it has stored what it knew.
  const isClosed = () => first.chat.chats()[0]?.isClosed;
  first.storage.write(`state:${chatId}`, JSON.stringify({ awaitsTeam: false, isClosed: false }));
  expect(isClosed()).toBe(false);
  first.browser.writeElsewhere("shop-chat:1:guest:changed", `${chatId} 1`);
  await expect.poll(isClosed).toBe(true);
});

test.each(["message", "state"])(
  "tells other tabs of a %s that came after what it is told of",
  async (what) => {
    const page = await readyPage();
    const isMessage = what === "message";
    page.messages.push(hello, ...(isMessage ? [helloToYou] : []));
    if (!isMessage) page.shown.chat = { ...chat, mode: "teammate", updatedAt: "2099-01-01T00:00:00.000Z" };
    // The tab that has told of it may be hidden, and poll no more because this one does.
    const told = `${chatId} 1 ${hello.id} ${chat.updatedAt}`;
    page.browser.writeElsewhere("shop-chat:1:guest:changed", told);
    const { messages, shown } = page;
    const latest = `${messages.at(-1)?.id} ${shown.chat.updatedAt}`;
    await expect.poll(() => page.storage.read(changedName)).toMatch(new RegExp(`^${chatId} \\d+ ${latest}$`));
    // Another tab that has read the same tells of nothing more.
    const again = `${chatId} 2 ${latest}`;
    const reads = readsOf(page);
    page.browser.writeElsewhere("shop-chat:1:guest:changed", again);
    await expect.poll(() => readsOf(page)).toBeGreaterThan(reads);
    await new Promise(setImmediate);
    expect(page.storage.read(changedName)).toBe(again);
  },
);

const readsOf = ({ requests }: Pick<TestPage, "requests">) =>
  requests.filter((request) => request === `GET /chats/${chatId}/messages/news`).length;

test("polls in only one of two hidden tabs, while another one polls another chat", async () => {
  const { answers } = aServer();
  const first = await aChatPage(answers, { chatId });
  await expect.poll(() => readsOf(first)).toBe(1);
  const second = await aChatPage(answers, { chatId, earlier: first.browser });
  const ofOther = (request: string) => request.replace(otherId, chatId);
  const third = await aChatPage((request, init) => answers(ofOther(request), init), {
    chatId: otherId,
    earlier: first.browser,
  });
  for (const page of [second, third])
    await expect.poll(() => conversationOf(page).history.state).toBe("ready");
  for (const { browser } of [first, third, second]) browser.dispatch("online");
  await expect.poll(() => readsOf(first)).toBe(2);
  expect(readsOf(second)).toBe(0);
});

test("polls in a hidden tab once another one has not for long, as one that a dialog stops", async () => {
  const { answers } = aServer();
  const page = await aChatPage(answers, { chatId });
  await expect.poll(() => readsOf(page)).toBe(1);
  const pollElsewhere = (ago: number) => {
    page.browser.writeElsewhere(`shop-chat:1:guest:polled:${chatId}`, `${Date.now() - ago}`);
    page.browser.dispatch("online");
  };
  // If two tabs have polled at once, the one that was later goes on alone.
  for (const ago of [1_000, conversationLimits.pollHiddenWithAgent]) {
    pollElsewhere(ago);
    await new Promise(setImmediate);
    expect(readsOf(page)).toBe(1);
  }
  pollElsewhere(600_000);
  await expect.poll(() => readsOf(page)).toBe(2);
});

test("starting over keeps the draft typed earlier in the new conversation", async () => {
  const page = await aChatPage();
  page.chat.setText("half a question");
  page.chat.openChat(chatId);
  page.chat.setText("for a closed chat");
  page.chat.startOver();
  expect(draftOf(page).text).toBe("for a closed chat\nhalf a question");
});

test("a text that cannot be sent goes into the draft after what the customer has typed", async () => {
  const page = await readyPage();
  page.chat.setText("half a question");
  expect(page.chat.send("x".repeat(4_001))).toBe(false);
  expect(draftOf(page).text).toBe(`half a question\n${"x".repeat(4_001)}`);
  expect(page.chat.send(" \n")).toBe(false);
  expect(page.keys).toEqual([]);
});

const customer = (tag: string) =>
  Response.json({ item: { caller: tag, customer: { id: tag, name: "Ada" } } });

/** A page whose server names these callers, one for each time that it is asked; the last one again. */
async function pageOf(callers: (() => Response)[], options: PageOptions = {}) {
  const { answers } = aServer();
  let asked = 0;
  return aChatPage((request, init) => {
    if (request !== "POST /session") return answers(request, init);
    asked += 1;
    return (callers[asked - 1] ?? callers.at(-1) ?? guestSession)();
  }, options);
}

test("stores and sends nothing before the chat is used", async () => {
  const browser = memoryBrowser();
  let requests = 0;
  const unused = createChat({
    api: "/api/chat",
    locale: "en",
    browser: {
      ...browser,
      fetch: () => {
        requests += 1;
        return new Promise(() => undefined);
      },
    },
  });
  onTestFinished(unused.close);
  unused.setText("half a question");
  unused.send("a whole question");
  browser.dispatch("return");
  await new Promise(setImmediate);
  expect(requests).toBe(0);
  expect([browser.local.names(), browser.tab.names()]).toEqual([[], []]);
});

/** A page whose server names the customer when the returned function is called. */
function unnamedPage(earlier = memoryBrowser()) {
  const { promise: named, resolve: name } = Promise.withResolvers<Response>();
  const browser = memoryBrowser({
    local: earlier.local,
    tab: earlier.tab,
    // A page that is left gives up its locks, a closed chat not.
    locks: undefined,
    fetch: (address) => (address.endsWith("/session") ? named : new Promise(() => undefined)),
  });
  const page = createChat({ api: "/api/chat", locale: "en", browser });
  onTestFinished(page.close);
  page.start();
  return { page, browser, name };
}

const pendingTexts = (page: TestPage["chat"]) =>
  page.getState().conversation.pending.map(({ record }) => record.text);

test("a start that fails after the chat was closed changes nothing", async () => {
  const { page, name } = unnamedPage();
  page.close();
  name(refusal("chat_unavailable"));
  await new Promise(setImmediate);
  expect(page.getState().owner).toBeNull();
});

/**
 * A page in whose browser customer 42 was the last one, with these entries. The server does not say who the
 * customer is before `signIn`, which names another one.
 */
async function lastKnownPage(answers: Answers, entries: Record<string, string> = {}) {
  const earlier = memoryBrowser();
  const storages = createStorages(earlier, defaultBasePath);
  storages.setOwner("tag-of-42");
  const ofLast = storages.of("tag-of-42");
  for (const [name, value] of Object.entries(entries)) ofLast.write(name, value);
  let session = () => refusal("service_unavailable");
  const answered: Answers = (request, init) =>
    request === "POST /session" ? session() : answers(request, init);
  const page = await aChatPage(answered, { earlier });
  async function signIn(): Promise<void> {
    session = () => customer("tag-of-7");
    page.chat.start();
    await expect.poll(() => page.chat.getState().owner).toBe("tag-of-7");
  }
  return { ...page, ofLast, signIn };
}

const current = (id: string | null) => JSON.stringify({ chatId: id, createKey: "create-0000-1" });

test("continues as the last known customer, and takes along what was written on this page alone", async () => {
  const page = await lastKnownPage(aServer().answers);
  expect(page.chat.getState().owner).toBe("tag-of-42");
  page.chat.send("from here");
  page.chat.setText("half a question");
  storeMessages(page.ofLast, aRecord({ text: "from there", createdAt: Date.now() + 1 }));
  await page.signIn();
  expect(draftOf(page).text).toBe("half a question");
  expect(pendingTexts(page.chat)).toEqual(["from here"]);
  expect(storedTexts(page.ofLast)).toEqual(["from there"]);
});

test("asks once more for the chat of a message that it takes along, in the chat's language", async () => {
  const asked: [string | null, unknown][] = [];
  const page = await lastKnownPage(
    (request, { headers, body }) => {
      if (request !== "POST /chats") return undefined;
      asked.push([new Headers(headers).get("idempotency-key"), JSON.parse(String(body))]);
      return Response.json({ item: chat }, { status: 201 });
    },
    // Another tab has asked for this chat in its language.
    { current: current(null), "new:create-0000-1": "de" },
  );
  page.chat.send("Hello");
  await expect.poll(() => page.requests).toContain(`POST /chats/${chatId}/messages`);
  await page.signIn();
  await expect.poll(() => asked).toHaveLength(2);
  expect(asked).toEqual(Array(2).fill(["create-0000-1", { locale: "de" }]));
});

test("uploads a file that it takes along under the same key", async () => {
  const keys: (string | null)[] = [];
  const page = await lastKnownPage((request, { headers }) => {
    if (request === `POST /chats/${chatId}/files`) keys.push(new Headers(headers).get("idempotency-key"));
    return request === "POST /chats" ? Response.json({ item: chat }, { status: 201 }) : undefined;
  });
  page.chat.attach([new File(["x"], "note.txt")]);
  await expect.poll(() => keys).toHaveLength(1);
  await page.signIn();
  await expect.poll(() => keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test("a message that it takes along from a chat that is gone goes to the next one", async () => {
  const page = await lastKnownPage(
    (request) => {
      if (request.includes(otherId)) return refusal("chat_not_found");
      return request === "POST /chats" ? Response.json({ item: chat }, { status: 201 }) : undefined;
    },
    { current: current(otherId) },
  );
  await sendRefused(page);
  await page.signIn();
  await expect.poll(() => page.requests).toContain(`POST /chats/${chatId}/messages`);
  expect(closedBy(conversationOf(page))).toBeNull();
});

test("a linked chat is opened for the first customer only", async () => {
  const page = await pageOf([() => customer("tag-of-42"), () => customer("tag-of-7")], { chatId });
  expect(conversationOf(page).chatId).toBe(chatId);
  page.chat.start();
  await expect.poll(() => page.chat.getState().owner).toBe("tag-of-7");
  expect(conversationOf(page).chatId).toBeNull();
});

test("a text that the page proposes comes after what the customer has typed, once", async () => {
  const page = await readyPage();
  page.chat.addText("About the Kestrel helmet: ");
  expect(draftOf(page).text).toBe("About the Kestrel helmet: ");
  page.chat.addText("About the Heron lamp: ");
  expect(draftOf(page).text).toBe("About the Heron lamp: ");
  page.chat.setText("About the Heron lamp: is it waterproof?");
  page.chat.addText("About the Kestrel helmet: ");
  page.chat.addText("About the Kestrel helmet: ");
  expect(draftOf(page).text).toBe("About the Heron lamp: is it waterproof?\nAbout the Kestrel helmet: ");
  page.chat.addText("About the Heron lamp: ");
  expect(draftOf(page).text).toBe("About the Heron lamp: is it waterproof?\nAbout the Heron lamp: ");
});

test("a guest whose storage was cleared finds the latest chat again, but not in place of a new one", async () => {
  const { answers } = aServer();
  const again = (options?: PageOptions) =>
    aChatPage((request, init) => {
      if (request !== "POST /session") return answers(request, init);
      return Response.json({ item: { caller: "tag-of-a-guest", customer: null, lastChatId: chatId } });
    }, options);
  const page = await again();
  await expect.poll(() => said(page)).toEqual([welcome.text]);
  page.chat.newChat();
  const reloaded = await again({ earlier: page.browser });
  expect(conversationOf(reloaded).chatId).toBeNull();
});

test.each([
  ["de_DE", "de-DE"],
  ["", "en"],
  ["en-US@posix", "en-US"],
])("creates a chat in a page whose locale is %j with %s", async (locale, sent) => {
  const bodies: unknown[] = [];
  const answers: Answers = (request, { body }) => {
    if (request === "POST /chats") bodies.push(JSON.parse(String(body)));
    return undefined;
  };
  const page = await aChatPage(answers, { locale });
  page.chat.send("Hello");
  await expect.poll(() => bodies).toEqual([{ locale: sent }]);
  page.chat.newChat();
  page.chat.setLocale(`${locale}.UTF-8`);
  page.chat.send("Hello again");
  await expect.poll(() => bodies).toEqual([{ locale: sent }, { locale: sent }]);
});
