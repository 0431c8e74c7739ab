import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { anOffer, anOrder } from "../../../lib/chat-api/testing/builders.ts";
import { aStart } from "../../../lib/chat-client/testing/streams.ts";
import { type Failure, type FailureCode, failure } from "../../../lib/engine/failure.ts";
import { type ConversationAction, reduceConversation } from "../../../lib/engine/state/reducer.ts";
import type { ConversationState, Delivery } from "../../../lib/engine/state/state.ts";
import {
  aChat,
  aCollection,
  aConversation,
  aFile,
  aMessage,
  aProduct,
  aRecord,
  aRequest,
  chatId,
} from "../../../lib/engine/testing/builders.ts";
import { createFormat } from "../format/format.ts";
import { testChat } from "../testing/rendered.ts";
import { newRefusal, politeAnnouncement, spokenMessage } from "./announcements.tsx";

const chat = { ...testChat, format: createFormat({ locale: "en" }) };

const teammate = { role: "teammate", author: { name: "Xiù" } } as const;

/** Every announcement during the actions, in order. */
function saidDuring(actions: readonly ConversationAction[], first: ConversationState = aConversation()) {
  let state = first;
  const said: string[] = [];
  for (const action of actions) {
    const next = reduceConversation(state, action);
    const news = politeAnnouncement(state, next, chat);
    if (news !== null) said.push(news);
    state = next;
  }
  return said;
}

test("announces why a message waits, and a lost connection only once", () => {
  vi.stubGlobal("navigator", { onLine: true });
  const record = aRecord();
  const during = (...deliveries: Delivery[]) =>
    saidDuring(
      deliveries.map((delivery) => ({ type: "delivery_changed", key: record.key, delivery })),
      aConversation({ pending: [{ record, delivery: { state: "queued" } }] }),
    );
  const sending = { state: "sending" } as const;
  const waiting = (code: FailureCode): Delivery => ({ state: "waiting", at: 0, failure: failure(code) });
  expect(during(sending, waiting("rate_limited"))).toEqual(["Sending too fast. Trying again"]);
  const lost = waiting("connection_lost");
  expect(during(sending, lost, { state: "checking" }, lost)).toEqual(["Connection lost. Trying again"]);
  expect(during(sending, waiting("turn_in_progress"))).toEqual([]);
  vi.stubGlobal("navigator", { onLine: false });
  expect(during(sending, lost)).toEqual([]);
});

test("announces each message once, in whatever order they arrive", () => {
  const list = Array.from({ length: 8 }, (_, index) =>
    aMessage({ text: `<${index}>`, role: index % 3 === 0 ? "visitor" : "teammate" }),
  );
  const arrivals = fc.shuffledSubarray([...list.keys()], { minLength: list.length });
  fc.assert(
    fc.property(arrivals, (order) => {
      // Each poll reads the chat as the channel lists it, with one message more than the poll before.
      const polls = order.map((_, count) => list.filter((_, index) => order.indexOf(index) <= count));
      const said = saidDuring(
        polls.map((messages) => ({ type: "news_read", hasOlder: false, messages })),
      ).join(" ");
      const heard = Array.from(said.matchAll(/<\d>/g), ([text]) => text);
      const expected = list.filter(({ role }) => role !== "visitor").map(({ text }) => text);
      expect(heard.toSorted()).toEqual(expected);
    }),
  );
});

test("does not announce an opened chat, earlier pages or a switch to another chat", () => {
  const [first, second] = [aMessage(), aMessage()];
  const reading = aConversation({
    history: { state: "reading", failure: null, retryAt: null, hasOlder: false, older: "idle" },
  });
  const opened: ConversationAction[] = [
    { type: "end_read", messages: [second], hasOlder: true, seenId: null },
    { type: "older_read", messages: [first], hasOlder: false },
  ];
  expect(saidDuring(opened, reading)).toEqual([]);
  const other = aConversation({ chatId: "chat_other_1", messages: [first] });
  expect(politeAnnouncement(aConversation(), other, chat)).toBeNull();
});

test("announces a greeting above the customer's first message", () => {
  const [greeting, question] = [aMessage({ text: "Hello." }), aMessage({ role: "visitor" })];
  const said = saidDuring([
    { type: "news_read", hasOlder: false, messages: [question] },
    { type: "news_read", hasOlder: false, messages: [greeting, question] },
  ]);
  expect(said).toEqual(["Wren says: Hello."]);
});

test("announces who sent what in a message without text", () => {
  const files = ["front.jpg", "rear.jpg", "bill.pdf"].map((filename) => aFile({ filename }));
  const source = { title: "Delivery", url: null, updatedAt: null };
  const spoken = (parts: Parameters<typeof aMessage>[0]) => spokenMessage(aMessage(parts), chat);
  expect(spoken({ ...teammate, text: "", files })).toBe("Xiù sent: front.jpg, rear.jpg, and bill.pdf.");
  expect(spoken({ text: " \n", products: [aProduct(), aProduct()] })).toBe("Message from Wren. Products: 2.");
  expect(spoken({ text: "", orders: [anOrder()] })).toBe("Message from Wren. Orders: 1.");
  expect(spoken({ text: "", citations: [source, source] })).toBe("Message from Wren. Sources: 2.");
  expect(spoken({ text: " \n" })).toBe("Message from Wren. This message has no text.");
});

test("announces a message's text, then its attachments", () => {
  const request = aRequest({ collectionId: "details", canSkip: true, canCancel: true });
  const message = aMessage({
    ...teammate,
    text: "Here.",
    files: [aFile({ filename: "bill.pdf" })],
    citations: [{ title: "Delivery", url: null, updatedAt: null }],
    products: [aProduct()],
    orders: [anOrder(), anOrder()],
    collection: aCollection({ request }),
    handoffOffer: anOffer(),
    choices: ["Yes", "No"],
  });
  expect(spokenMessage(message, chat)).toBe(
    "Xiù from the team says: Here. Xiù sent: bill.pdf. Products: 1. Orders: 2. " +
      "There is a form to fill in. You can talk to the team. Pick a reply: 2.",
  );
  expect(spokenMessage(aMessage({ role: "system", text: "Xiù joined." }), chat)).toBe("Notice: Xiù joined.");
  expect(spokenMessage(aMessage({ role: "teammate", author: null, text: "Hi." }), chat)).toBe(
    "Team says: Hi.",
  );
});

test("announces once that the chat waits for the team", () => {
  const [before, after] = [aConversation(), aConversation({ chat: aChat({ mode: "waiting" }) })];
  expect(politeAnnouncement(before, after, chat)).toBe("Waiting for the team");
  expect(politeAnnouncement(after, { ...after, seenId: "message_1" }, chat)).toBeNull();
  // The chat was opened in this mode.
  expect(politeAnnouncement({ ...before, chat: null }, after, chat)).toBeNull();
});

test("announces the number of replies that the message offers, without duplicates", () => {
  const said = (choices: string[]) => spokenMessage(aMessage({ text: "Which?", choices }), chat);
  expect(said(["Red", "Blue", "Red", " "])).toBe("Wren says: Which? Pick a reply: 2.");
  expect(said([" "])).toBe("Wren says: Which?");
});

test("announces once that an outcome is in doubt", () => {
  const record = aRecord();
  const doubt = { type: "delivery_changed", key: record.key, delivery: { state: "unsure" } } as const;
  const said = saidDuring([{ type: "outbox_changed", records: [record] }, doubt, doubt]);
  expect(said).toEqual(["We’re not sure the answer got through. Checking…"]);
});

test("announces the start of a reply once", () => {
  const record = aRecord();
  const start = aStart({ chatId });
  const said = saidDuring([
    { type: "outbox_changed", records: [record] },
    { type: "turn_started", key: record.key, start },
    { type: "turn_delta", key: record.key, text: "Yes" },
    { type: "turn_delta", key: record.key, text: "." },
    { type: "delivery_changed", key: record.key, delivery: { state: "checking" } },
    { type: "turn_started", key: record.key, start },
    { type: "turn_delta", key: record.key, text: "Yes, we do." },
  ]);
  expect(said).toEqual(["Wren is answering."]);
});

test("announces a refusal once, and again when the next attempt fails", () => {
  const record = aRecord();
  const refusedRecord = { ...record, refusal: failure("invalid_request") };
  const stateWith = (each: typeof record) =>
    reduceConversation(aConversation(), { type: "outbox_changed", records: [each] });
  const states = [record, refusedRecord, refusedRecord, record, refusedRecord].map(stateWith);
  const said = states.slice(1).map((state, index) => newRefusal(states[index] ?? state, state, chat));
  expect(said.map((text) => text !== null)).toEqual([true, false, false, true]);
  expect(said[0]).toBe("Your message was not sent.");
});

test("does not call a message unsent whose outcome is unknown", () => {
  const said = (refusal: Failure) => {
    const records = [aRecord({ refusal })];
    const state = reduceConversation(aConversation(), { type: "outbox_changed", records });
    return newRefusal(aConversation(), state, chat);
  };
  expect(said(failure("connection_lost"))).toBeNull();
  expect(said(failure("internal_error", { isListed: true }))).toBeNull();
  expect(said(failure("internal_error", { isListed: false }))).toBe("Your message was not sent.");
});
