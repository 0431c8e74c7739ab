import { expect, onTestFinished, test, vi } from "vitest";
import { defaultBasePath } from "../chat-api/base-path.ts";
import { aField, anOffer } from "../chat-api/testing/builders.ts";
import type { ChatEngine } from "./chat.ts";
import { failure } from "./failure.ts";
import { createStorages, memoryArea } from "./storage/storage.ts";
import { aChat, aCollection, aFile, aMessage, aRecord, aRequest } from "./testing/builders.ts";
import { aChatPage, refusal } from "./testing/chat-page.ts";
import { memoryBrowser } from "./testing/memory-browser.ts";
import { storeMessages } from "./testing/stored-messages.ts";

const chatId = "chat_00000001";
const otherId = "chat_00000002";
const chat = aChat({ id: chatId });
const offer = anOffer({ requiresEmail: false });
const request = aRequest({ fields: [{ fieldId: "name", required: true }], canSkip: true, canCancel: true });
const collection = aCollection({ fields: [aField({ id: "name" })], request });
const asking = aMessage({ chatId, collection, handoffOffer: offer });
const file = aFile({ chatId });
const refused = aRecord({ chatId, refusal: failure("connection_lost"), createdAt: Date.now() });
const five = 5 * 60_000;

/** Every action of the chat, as a customer in a chat with a form, an offer and a refused message uses it. */
const actions = {
  start: (page) => page.start(),
  peek: (page) => page.peek(() => undefined),
  setLocale: (page) => page.setLocale("fr"),
  setConsent: (page) => page.setConsent("7"),
  agree: (page) => page.agree(),
  setText: (page) => page.setText("half a question"),
  addText: (page) => page.addText("About the helmet: "),
  send: (page) => page.send("Hello"),
  retry: (page) => page.retry([refused.key]),
  tryNow: (page) => page.tryNow(),
  withdraw: (page) => page.withdraw(refused.key),
  edit: (page) => page.edit([refused.key]),
  stop: (page) => page.stop(),
  attach: (page) => page.attach([new File(["x"], "note.txt")]),
  retryUpload: (page) => page.retryUpload("key-0000-0001"),
  detach: (page) => page.detach({ kind: "lost", name: "note.txt" }),
  answerForm: (page) => page.answerForm("name", "Ana"),
  submitForm(page) {
    page.answerForm("name", "Ana");
    return page.submitForm();
  },
  skipForm: (page) => page.skipForm(),
  cancelForm: (page) => page.cancelForm(),
  retryForm: (page) => page.retryForm(),
  readForm: (page) => page.readForm(),
  setOfferEmail: (page) => page.setOfferEmail("ana@shop.example"),
  acceptOffer: (page) => page.acceptOffer(offer),
  dismissOfferFailure: (page) => page.dismissOfferFailure(),
  openChat: (page) => page.openChat(otherId),
  newChat: (page) => page.newChat(),
  startOver: (page) => page.startOver(),
  chats: (page) => page.chats(),
  forgetChat: (page) => page.forgetChat(chatId),
  readSummary(page) {
    const [remembered] = page.chats();
    return remembered && page.readSummary(remembered, new AbortController().signal);
  },
  reload: (page) => page.reload(),
  loadOlder: (page) => page.loadOlder(),
  transcript: (page) => page.transcript(),
  markSeen: (page) => page.markSeen(asking.id),
  markLookedAt: (page) => page.markLookedAt(),
  rate: (page) => page.rate({ kind: "up", messageId: asking.id, value: 1 }),
  fileUrl: (page) => page.fileUrl(file),
  // It rejects, as every read of a file may.
  readFile: (page) => page.readFile(file).catch(() => undefined),
  isFileGone: (page) => page.isFileGone(file),
  failureOf: (page) => page.failureOf(new DOMException("", "AbortError")),
  preferences: (page) => page.preferences(),
  setPreferences: (page) => page.setPreferences({ ...page.preferences(), sounds: true }),
  close: (page) => page.close(),
} satisfies { [name in Exclude<keyof ChatEngine, "getState" | "subscribe">]: (page: ChatEngine) => unknown };

/** The answers of a server that is down for everything that is written. */
function busyServer(asked: string): Response | undefined {
  if (asked === "POST /session")
    return Response.json({ item: { caller: "tag-of-a-guest", customer: null, takesFeedback: true } });
  if (asked === `GET /chats/${chatId}`) return Response.json({ item: chat });
  if (asked === `GET /chats/${chatId}/collection`) return Response.json({ item: collection });
  if (asked === `GET /chats/${chatId}/messages/before`)
    return Response.json({ items: [asking], nextCursor: null });
  return asked.startsWith("POST") ? refusal("service_unavailable", 2) : undefined;
}

/** Gives running actions the time to send, to store and to wait. */
async function underway(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise(setImmediate);
  }
}

/** A page whose form, offer and feedback are ready for use, and what it writes and sends. */
async function aUsedPage(answers: typeof busyServer) {
  const done: string[] = [];
  const noting = (area = memoryArea()) => ({
    ...area,
    write(name: string, value: string | null) {
      done.push(`write ${name}`);
      area.write(name, value);
    },
  });
  const earlier = memoryBrowser({ local: noting(), tab: noting() });
  storeMessages(createStorages(earlier, defaultBasePath).of("guest"), refused);
  const page = await aChatPage(
    (asked) => {
      done.push(asked);
      return answers(asked);
    },
    { chatId, earlier, onError: (error) => void done.push(`error ${error}`) },
  );
  await expect.poll(() => page.chat.getState().conversation.collection).not.toBeNull();
  await underway();
  return { ...page, done };
}

test.each(Object.entries(actions))(
  "after `%s` a closed chat sends nothing, stores nothing and throws nothing",
  async (_name, act) => {
    const uncaught: unknown[] = [];
    const onUncaught = (error: unknown) => void uncaught.push(error);
    process.on("unhandledRejection", onUncaught);
    onTestFinished(() => void process.off("unhandledRejection", onUncaught));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    for (const answers of [
      busyServer,
      (asked: string) => (asked.startsWith("POST /chats") ? undefined : busyServer(asked)),
    ]) {
      const page = await aUsedPage(answers);
      void act(page.chat);
      await underway();
      page.chat.close();
      const before = page.done.length;
      const state = page.chat.getState();
      void act(page.chat);
      await underway();
      await vi.advanceTimersByTimeAsync(five);
      page.browser.dispatch("online");
      page.browser.dispatch("return");
      await underway();
      expect(page.done.slice(before)).toEqual([]);
      expect(page.chat.getState()).toBe(state);
    }
    expect(uncaught).toEqual([]);
  },
);
