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
import { pendingAnswerOf, timelineOf } from "./timeline.ts";

const dayOf = (time: string | null) => time?.slice(0, 10) ?? null;
type Row = ReturnType<typeof timelineOf>[number];

const rowsOf = (state: Partial<ConversationState>) => timelineOf(aConversation(state), dayOf);
const kinds = (state: Partial<ConversationState>) => rowsOf(state).map(({ kind }) => kind);
/** The rows of one kind. */
const only = <Kind extends Row["kind"]>(kind: Kind, state: Partial<ConversationState>) =>
  rowsOf(state).filter((row): row is Extract<Row, { kind: Kind }> => row.kind === kind);

test("shows one date heading per day, above the day's first message", () => {
  const messages = [
    aMessage({ createdAt: "2026-06-01T22:00:00.000Z" }),
    aMessage({ createdAt: "2026-06-02T08:00:00.000Z" }),
    aMessage({ createdAt: "2026-06-02T09:00:00.000Z" }),
  ];
  expect(kinds({ messages })).toEqual(["day", "message", "day", "message", "message"]);
});

test("keeps messages without a time in list order, without a date heading", () => {
  const messages = [aMessage({ createdAt: null }), aMessage({ createdAt: "2026-06-02T08:00:00.000Z" })];
  expect(kinds({ messages })).toEqual(["message", "day", "message"]);
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
  expect(only("message", { messages }).map((row) => [row.startsGroup, row.endsGroup])).toEqual([
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
  expect(only("message", { messages }).map(({ showsTime }) => showsTime)).toEqual([true, false, false, true]);
});

test("puts the unread mark below the last message seen", () => {
  const messages = [aMessage({ createdAt: null }), aMessage({ createdAt: null })];
  const state = aConversation({ messages, unreadAfterId: messages[0]?.id ?? null });
  expect(kinds(state)).toEqual(["message", "unread", "message"]);
});

test("mentions deleted history only at the beginning of the list", () => {
  const messages = [aMessage({ createdAt: null }), aMessage({ createdAt: null })];
  const state = aConversation({ chat: aChat({ historyComplete: false }), messages });
  expect(kinds(state)[0]).toBe("history_incomplete");
  const withOlder = { ...state, history: { ...state.history, hasOlder: true } };
  expect(kinds(withOlder)).toEqual(["message", "message"]);
});

test("shows a listed message with an unknown outcome once", () => {
  const record = aRecord({ text: "Hello", attempted: true });
  const messages = [aMessage({ role: "visitor", text: "Hello", createdAt: null })];
  const pending = [{ record, delivery: { state: "checking" } as const }];
  expect(kinds({ messages, pending })).toEqual(["message", "reply"]);
  expect(kinds({ messages: [], pending })).toEqual(["pending"]);
});

test("shows a message that was never sent beside an equal one in the list", () => {
  const messages = [aMessage({ role: "visitor", text: "Hello", createdAt: null })];
  for (const delivery of [{ state: "queued" }, { state: "checking" }] as const) {
    const pending = [aPending(delivery, { text: "Hello", attempted: false })];
    expect(kinds({ messages, pending })).toEqual(["message", "pending"]);
  }
});

test("shows a waiting row for a reply that cannot be streamed here", () => {
  const record = aRecord({ text: "Hello", attempted: true });
  const delivery = { state: "waiting", at: 0, failure: failure("turn_in_progress") } as const;
  const pending = [{ record, delivery }];
  const ownMessage = aMessage({ role: "visitor", text: "Hello", createdAt: null });
  const answer = aMessage({ role: "agent", createdAt: null });
  const shown = (overrides: Partial<ConversationState>) =>
    kinds({ messages: [ownMessage], pending, ...overrides });
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
    expect(kinds({ messages: [ownMessage], pending })).toEqual(["message", "note"]);
    expect(kinds({ messages: [ownMessage], pending, reply })).toEqual(["message", "reply", "note"]);
    expect(kinds({ messages: [], pending })).toEqual(["pending", "note"]);
  }
});

test("shows an interrupted reply as cut off, and hides it when it has no text", () => {
  const record = aRecord();
  const pending = [{ record, delivery: { state: "unsure" } as const }];
  const reply = aReply(record.key);
  expect(only("reply", { pending, reply })[0]?.progress).toBe("cut_off");
  expect(kinds({ pending, reply: { ...reply, text: "" } })).toEqual(["pending", "note"]);
});

test("merges adjacent equal notes", () => {
  const lost = () => aPending({ state: "refused", failure: failure("connection_lost") });
  const other = aPending({ state: "refused", failure: failure("invalid_request") });
  const pending = [lost(), lost(), other, lost()];
  const keys = pending.map(({ record }) => record.key);
  expect(only("note", { pending }).map((row) => row.keys)).toEqual([
    [],
    [keys[0], keys[1]],
    [keys[2]],
    [keys[3]],
  ]);
});

test("marks the notes of a closed chat as closed", () => {
  const pending = [aPending({ state: "refused", failure: failure("rate_limited") })];
  const isClosed = (mode: "agent" | "resolved") =>
    only("note", { pending, chat: aChat({ mode }) }).map((row) => row.isClosed);
  expect([isClosed("agent"), isClosed("resolved")]).toEqual([[false], [true]]);
});

test("places a reply below its message and above queued ones", () => {
  const first = aPending({ state: "stored", messageId: "message_sent" });
  const pending = [first, aPending({ state: "queued" })];
  const reply = aReply(first.record.key);
  expect(kinds({ pending, reply })).toEqual(["pending", "reply", "pending"]);
});

test("marks a message queued behind an answer, but not one behind a waiting message", () => {
  const behind = (delivery: Delivery) =>
    rowsOf({ pending: [aPending(delivery), aPending({ state: "queued" })] }).map(
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
  expect(kinds({ messages: [offer, later], collection })).toEqual(["message", "form", "message"]);
  const pending = [aPending({ state: "queued" })];
  expect(kinds({ messages: [offer], collection, pending })).toEqual(["message", "form", "pending"]);
  expect(kinds({ messages: [later], collection })).toEqual(["message", "form"]);
  const ofTheTeam = aCollection({ request });
  expect(kinds({ messages: [offer, later], collection: ofTheTeam })).toEqual(["message", "message", "form"]);
  const carrying = aMessage({ createdAt: null, collection });
  expect(kinds({ messages: [offer, carrying, later], collection })).toEqual([
    "message",
    "message",
    "message",
  ]);
});

test("keeps an ended form without a message where it was until the next form", () => {
  const asked = aCollection({ request, pendingAction: "handoff" });
  const offer = aMessage({ createdAt: null, handoffOffer: anOffer() });
  const state = aConversation({ messages: [offer, aMessage({ createdAt: null })], collection: asked });
  const endOf = (of: ConversationState) => {
    const collection = { ...asked, version: asked.version + 1, request: null };
    return reduceConversation(of, { type: "collection_read", collection });
  };
  const ended = endOf(state);
  const forms = (of: ConversationState) => only("form", of).map((row) => [row.id, row.isLatest]);
  expect(kinds(ended)).toEqual(["message", "form", "message"]);
  expect(forms(ended)).toEqual([["form-request-1", true]]);
  const again = aMessage({ createdAt: null, handoffOffer: anOffer() });
  const offered = { ...ended, messages: [...ended.messages, again] };
  expect(kinds(offered)).toEqual(["message", "form", "message", "message"]);
  const endedOther = endOf({ ...state, collection: { ...asked, pendingAction: null } });
  const continued = { ...endedOther, messages: [...endedOther.messages, aMessage({ createdAt: null })] };
  expect(kinds(continued)).toEqual(["message", "message", "form", "message"]);

  const another = { ...asked, version: asked.version + 2, request: { ...request, id: "request-2" } };
  expect(forms(reduceConversation(ended, { type: "collection_read", collection: another }))).toEqual([
    ["form-request-2", true],
  ]);
  const carrying = aMessage({ createdAt: null, collection: another });
  const asksAgain = { ...ended, messages: [...ended.messages, carrying], collection: another };
  expect(forms(asksAgain)).toEqual([["form-request-1", false]]);

  const carried = { ...state, messages: [offer, aMessage({ createdAt: null, collection: asked })] };
  expect(forms(endOf(carried))).toEqual([]);
});

test("counts a message as awaited from sending until its answer is complete", () => {
  const record = aRecord({ attempted: false });
  const waits = (delivery: Delivery, reply: ConversationState["reply"] = null) =>
    pendingAnswerOf(aConversation({ pending: [{ record, delivery }], reply }));
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
