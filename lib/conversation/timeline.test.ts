import { expect, test } from "vitest";
import { failure } from "./failure.ts";
import type { ConversationState } from "./state.ts";
import { aChat, aCollection, aConversation, aMessage, aRecord } from "./testing/builders.ts";
import { timelineOf } from "./timeline.ts";

const dayOf = (time: string | null) => time?.slice(0, 10) ?? null;
const kinds = (...args: Parameters<typeof timelineOf>) => timelineOf(...args).map(({ kind }) => kind);

test("a day is named once, before its first message", () => {
  const messages = [
    aMessage({ createdAt: "2026-06-01T22:00:00.000Z" }),
    aMessage({ createdAt: "2026-06-02T08:00:00.000Z" }),
    aMessage({ createdAt: "2026-06-02T09:00:00.000Z" }),
  ];
  expect(kinds(aConversation({ messages }), dayOf)).toEqual(["day", "message", "day", "message", "message"]);
});

test("messages without a time stand where they are listed, under no day", () => {
  const messages = [aMessage({ createdAt: null }), aMessage({ createdAt: "2026-06-02T08:00:00.000Z" })];
  expect(kinds(aConversation({ messages }), dayOf)).toEqual(["message", "day", "message"]);
});

test("messages of one author within minutes make a group", () => {
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

test("the unread mark stands below the last message seen", () => {
  const messages = [aMessage({ createdAt: null }), aMessage({ createdAt: null })];
  const state = aConversation({ messages, unreadAfterId: messages[0]?.id ?? null });
  expect(kinds(state, dayOf)).toEqual(["message", "unread", "message"]);
});

test("what is no longer kept is said only at the list's beginning", () => {
  const messages = [aMessage({ createdAt: null }), aMessage({ createdAt: null })];
  const state = aConversation({ chat: aChat({ historyComplete: false }), messages });
  expect(kinds(state, dayOf)[0]).toBe("history_incomplete");
  expect(kinds(state, dayOf, 1)).toEqual(["message"]);
  const withOlder = { ...state, history: { ...state.history, hasOlder: true } };
  expect(kinds(withOlder, dayOf)).toEqual(["message", "message"]);
});

test("a message whose outcome is unknown and that a poll has listed is shown once", () => {
  const record = aRecord({ text: "Hello", attempted: true });
  const messages = [aMessage({ role: "visitor", text: "Hello", createdAt: null })];
  const pending = [{ record, delivery: { state: "checking" } as const }];
  expect(kinds(aConversation({ messages, pending }), dayOf)).toEqual(["message", "reply"]);
  expect(kinds(aConversation({ messages: [], pending }), dayOf)).toEqual(["pending"]);
});

test("a reply that is written where nobody can watch is awaited in sight, until it is listed", () => {
  const record = aRecord({ text: "Hello", attempted: true });
  const delivery = { state: "waiting", at: 0, failure: failure("turn_in_progress") } as const;
  const pending = [{ record, delivery }];
  const sent = aMessage({ role: "visitor", text: "Hello", createdAt: null });
  const answer = aMessage({ role: "agent", createdAt: null });
  const shown = (overrides: Partial<ConversationState>) =>
    kinds(aConversation({ messages: [sent], pending, ...overrides }), dayOf);
  expect(shown({})).toEqual(["message", "reply"]);
  expect(shown({ messages: [sent, answer] })).toEqual(["message", "message"]);
  expect(shown({ chat: aChat({ mode: "teammate" }) })).toEqual(["message"]);
});

test("the reply stands below the message that it answers, before those that wait", () => {
  const [first, second] = [aRecord(), aRecord()];
  const pending = [
    { record: first, delivery: { state: "stored", messageId: "message_sent" } as const },
    { record: second, delivery: { state: "queued" } as const },
  ];
  const reply = { key: first.key, replyId: "reply_1", text: "Yes", restarted: false, stoppedAt: null };
  expect(kinds(aConversation({ pending, reply }), dayOf)).toEqual(["pending", "reply", "pending"]);
});

test("the form that passing on has opened stands below the offer, and what is said then below the form", () => {
  const request = {
    id: "request-1",
    collectionId: "team-details",
    purpose: "",
    fields: [],
    complete: false,
    canSkip: false,
    canCancel: true,
  };
  const collection = aCollection({ request, pendingAction: "handoff" });
  const offer = aMessage({
    createdAt: null,
    handoffOffer: { confirmationId: "c-1", requiresEmail: false, nextAvailableAt: null, timezone: null },
  });
  const later = aMessage({ createdAt: null });
  const shown = (overrides: Partial<ConversationState>) => kinds(aConversation(overrides), dayOf);
  expect(shown({ messages: [offer, later], collection })).toEqual(["message", "form", "message"]);
  const pending = [{ record: aRecord(), delivery: { state: "queued" } as const }];
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
