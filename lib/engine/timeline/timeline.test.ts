import { expect, test } from "vitest";
import { anOffer } from "../../chat-api/testing/builders.ts";
import { failure } from "../failure.ts";
import { reduceConversation } from "../state/reducer.ts";
import type { ConversationState, Delivery } from "../state/state.ts";
import {
  aChat,
  aCollection,
  aConversation,
  aMessage,
  aPending,
  aRecord,
  aReply,
  aRequest,
} from "../testing/builders.ts";
import { awaitedOf, timelineOf } from "./timeline.ts";

const dayOf = (time: string | null) => time?.slice(0, 10) ?? null;
const kinds = (...args: Parameters<typeof timelineOf>) => timelineOf(...args).map(({ kind }) => kind);

test("shows one date heading per day, above the day's first message", () => {
  const messages = [
    aMessage({ createdAt: "2026-06-01T22:00:00.000Z" }),
    aMessage({ createdAt: "2026-06-02T08:00:00.000Z" }),
    aMessage({ createdAt: "2026-06-02T09:00:00.000Z" }),
  ];
  expect(kinds(aConversation({ messages }), dayOf)).toEqual(["day", "message", "day", "message", "message"]);
});

test("keeps messages without a time in list order, without a date heading", () => {
  const messages = [aMessage({ createdAt: null }), aMessage({ createdAt: "2026-06-02T08:00:00.000Z" })];
  expect(kinds(aConversation({ messages }), dayOf)).toEqual(["message", "day", "message"]);
});

test("groups messages of one author within minutes", () => {
  const at = (time: string, overrides = {}) =>
    aMessage({ createdAt: `2026-06-02T${time}:00.000Z`, ...overrides });
  const messages = [
    at("08:00"),
    at("08:01"),
    at("08:20"),
    at("08:21", { role: "teammate", author: { name: "Zoë" } }),
    at("08:22", { role: "teammate", author: { name: "Priya N." } }),
  ];
  const groups = timelineOf(aConversation({ messages }), dayOf).flatMap((row) =>
    row.kind === "message" ? [[row.startsGroup, row.endsGroup]] : [],
  );
  expect(groups).toEqual([
    [true, false],
    [false, true],
    [true, true],
    [true, true],
    [true, true],
  ]);
});

test("shows the time once per group and minute", () => {
  const at = (time: string, role: "visitor" | "agent") =>
    aMessage({ createdAt: `2026-06-02T${time}.000Z`, role });
  const messages = [
    at("08:00:10", "visitor"),
    at("08:00:20", "agent"),
    at("08:01:00", "visitor"),
    at("08:02:00", "visitor"),
  ];
  const shown = timelineOf(aConversation({ messages }), dayOf).flatMap((row) =>
    row.kind === "message" ? [row.showsTime] : [],
  );
  expect(shown).toEqual([true, false, false, true]);
});

test("puts the unread mark below the last message seen", () => {
  const messages = [aMessage({ createdAt: null }), aMessage({ createdAt: null })];
  const state = aConversation({ messages, unreadAfterId: messages[0]?.id ?? null });
  expect(kinds(state, dayOf)).toEqual(["message", "unread", "message"]);
});

test("mentions deleted history only at the beginning of the list", () => {
  const messages = [aMessage({ createdAt: null }), aMessage({ createdAt: null })];
  const state = aConversation({ chat: aChat({ historyComplete: false }), messages });
  expect(kinds(state, dayOf)[0]).toBe("history_incomplete");
  const withOlder = { ...state, history: { ...state.history, hasOlder: true } };
  expect(kinds(withOlder, dayOf)).toEqual(["message", "message"]);
});

test("shows a listed message with an unknown outcome once", () => {
  const record = aRecord({ text: "Hello", attempted: true });
  const messages = [aMessage({ role: "visitor", text: "Hello", createdAt: null })];
  const pending = [{ record, delivery: { state: "checking" } as const }];
  expect(kinds(aConversation({ messages, pending }), dayOf)).toEqual(["message", "reply"]);
  expect(kinds(aConversation({ messages: [], pending }), dayOf)).toEqual(["pending"]);
});

test("shows a message that was never sent beside an equal one in the list", () => {
  const messages = [aMessage({ role: "visitor", text: "Hello", createdAt: null })];
  for (const delivery of [{ state: "queued" }, { state: "checking" }] as const) {
    const pending = [aPending(delivery, { text: "Hello", attempted: false })];
    expect(kinds(aConversation({ messages, pending }), dayOf)).toEqual(["message", "pending"]);
  }
});

test("shows a waiting row for a reply that cannot be streamed here", () => {
  const record = aRecord({ text: "Hello", attempted: true });
  const delivery = { state: "waiting", at: 0, failure: failure("turn_in_progress") } as const;
  const pending = [{ record, delivery }];
  const ownMessage = aMessage({ role: "visitor", text: "Hello", createdAt: null });
  const answer = aMessage({ role: "agent", createdAt: null });
  const shown = (overrides: Partial<ConversationState>) =>
    kinds(aConversation({ messages: [ownMessage], pending, ...overrides }), dayOf);
  expect(shown({})).toEqual(["message", "reply"]);
  expect(shown({ messages: [ownMessage, answer] })).toEqual(["message", "message"]);
  expect(shown({ chat: aChat({ mode: "teammate" }) })).toEqual(["message"]);
});

test("shows a listed message once, with its note below it", () => {
  const record = aRecord({ text: "Hello", attempted: true });
  const ownMessage = aMessage({ role: "visitor", text: "Hello", createdAt: null });
  const reply = aReply(record.key);
  const refusal = { state: "refused", failure: failure("operation_interrupted") } as const;
  for (const delivery of [{ state: "unsure" } as const, refusal]) {
    const pending = [{ record, delivery }];
    expect(kinds(aConversation({ messages: [ownMessage], pending }), dayOf)).toEqual(["message", "note"]);
    expect(kinds(aConversation({ messages: [ownMessage], pending, reply }), dayOf)).toEqual([
      "message",
      "reply",
      "note",
    ]);
    expect(kinds(aConversation({ messages: [], pending }), dayOf)).toEqual(["pending", "note"]);
  }
});

test("shows an interrupted reply as cut off, and hides it when it has no text", () => {
  const record = aRecord();
  const pending = [{ record, delivery: { state: "unsure" } as const }];
  const reply = aReply(record.key);
  const rows = timelineOf(aConversation({ pending, reply }), dayOf);
  expect(rows.find((row) => row.kind === "reply")?.progress).toBe("cut_off");
  expect(kinds(aConversation({ pending, reply: { ...reply, text: "" } }), dayOf)).toEqual([
    "pending",
    "note",
  ]);
});

test("merges adjacent equal notes", () => {
  const lost = () => aPending({ state: "refused", failure: failure("connection_lost") });
  const other = aPending({ state: "refused", failure: failure("invalid_request") });
  const pending = [lost(), lost(), other, lost()];
  const keys = pending.map(({ record }) => record.key);
  const notes = timelineOf(aConversation({ pending }), dayOf).flatMap((row) =>
    row.kind === "note" ? [row.keys] : [],
  );
  expect(notes).toEqual([[], [keys[0], keys[1]], [keys[2]], [keys[3]]]);
});

test("marks the notes of a closed chat as closed", () => {
  const pending = [aPending({ state: "refused", failure: failure("rate_limited") })];
  const isClosed = (state: ConversationState) =>
    timelineOf(state, dayOf).flatMap((row) => (row.kind === "note" ? [row.isClosed] : []));
  expect(isClosed(aConversation({ pending }))).toEqual([false]);
  expect(isClosed(aConversation({ pending, chat: aChat({ mode: "resolved" }) }))).toEqual([true]);
});

test("places a reply below its message and above queued ones", () => {
  const first = aPending({ state: "stored", messageId: "message_sent" });
  const pending = [first, aPending({ state: "queued" })];
  const reply = aReply(first.record.key);
  expect(kinds(aConversation({ pending, reply }), dayOf)).toEqual(["pending", "reply", "pending"]);
});

test("marks a message queued behind an answer, but not one behind a waiting message", () => {
  const behind = (delivery: Delivery) =>
    timelineOf(aConversation({ pending: [aPending(delivery), aPending({ state: "queued" })] }), dayOf).map(
      (row) => row.kind === "pending" && row.isBehindReply,
    );
  expect(behind({ state: "stored", messageId: "message_sent" })).toEqual([false, true]);
  expect(behind({ state: "checking" })).toEqual([false, false]);
});

const request = aRequest({ collectionId: "team-details", canCancel: true });

test("places a handoff's form below its offer", () => {
  const collection = aCollection({ request, pendingAction: "handoff" });
  const offer = aMessage({ createdAt: null, handoffOffer: anOffer() });
  const later = aMessage({ createdAt: null });
  const shown = (overrides: Partial<ConversationState>) => kinds(aConversation(overrides), dayOf);
  expect(shown({ messages: [offer, later], collection })).toEqual(["message", "form", "message"]);
  const pending = [aPending({ state: "queued" })];
  expect(shown({ messages: [offer], collection, pending })).toEqual(["message", "form", "pending"]);
  expect(shown({ messages: [later], collection })).toEqual(["message", "form"]);
  const ofTheTeam = aCollection({ request });
  expect(shown({ messages: [offer, later], collection: ofTheTeam })).toEqual(["message", "message", "form"]);
  const carrying = aMessage({ createdAt: null, collection });
  expect(shown({ messages: [offer, carrying, later], collection })).toEqual([
    "message",
    "message",
    "message",
  ]);
});

test("keeps an ended form without a message where it was until the next form", () => {
  const asked = aCollection({ request, pendingAction: "handoff" });
  const offer = aMessage({ createdAt: null, handoffOffer: anOffer() });
  const state = aConversation({ messages: [offer, aMessage({ createdAt: null })], collection: asked });
  const ended = reduceConversation(state, {
    type: "collection_read",
    collection: { ...asked, version: asked.version + 1, request: null },
  });
  const forms = (of: ConversationState) =>
    timelineOf(of, dayOf).flatMap((row) => (row.kind === "form" ? [[row.id, row.isLatest]] : []));
  expect(kinds(ended, dayOf)).toEqual(["message", "form", "message"]);
  expect(forms(ended)).toEqual([["form-request-1", true]]);
  const again = aMessage({ createdAt: null, handoffOffer: anOffer() });
  const offered = { ...ended, messages: [...ended.messages, again] };
  expect(kinds(offered, dayOf)).toEqual(["message", "form", "message", "message"]);
  const endedOther = reduceConversation(
    { ...state, collection: { ...asked, pendingAction: null } },
    { type: "collection_read", collection: { ...asked, version: asked.version + 1, request: null } },
  );
  const continued = { ...endedOther, messages: [...endedOther.messages, aMessage({ createdAt: null })] };
  expect(kinds(continued, dayOf)).toEqual(["message", "message", "form", "message"]);

  const another = { ...asked, version: asked.version + 2, request: { ...request, id: "request-2" } };
  expect(forms(reduceConversation(ended, { type: "collection_read", collection: another }))).toEqual([
    ["form-request-2", true],
  ]);
  const carrying = aMessage({ createdAt: null, collection: another });
  const asksAgain = { ...ended, messages: [...ended.messages, carrying], collection: another };
  expect(forms(asksAgain)).toEqual([["form-request-1", false]]);

  const carried = { ...state, messages: [offer, aMessage({ createdAt: null, collection: asked })] };
  const endedThere = reduceConversation(carried, {
    type: "collection_read",
    collection: { ...asked, version: asked.version + 1, request: null },
  });
  expect(forms(endedThere)).toEqual([]);
});

test("counts a message as awaited from sending until its answer is complete", () => {
  const record = aRecord({ attempted: false });
  const waits = (delivery: Delivery, reply: ConversationState["reply"] = null) =>
    awaitedOf(aConversation({ pending: [{ record, delivery }], reply }));
  const stored = { state: "stored", messageId: "message_1" } as const;
  const reply = aReply(record.key, { text: "" });
  expect(waits({ state: "sending" })).toEqual({ key: record.key, length: 0 });
  expect(waits(stored, reply)).toEqual({ key: record.key, length: 0 });
  expect(waits(stored, { ...reply, text: "To" })).toEqual({ key: record.key, length: 2 });
  expect(waits(stored, { ...reply, text: "To", stoppedAt: 2 })).toBeNull();
  expect(waits(stored, { ...reply, replyId: null })).toBeNull();
  expect(waits({ state: "queued" })).toBeNull();
  expect(waits({ state: "refused", failure: failure("chat_closed") })).toBeNull();
});
