import fc from "fast-check";
import { expect, test } from "vitest";
import type { Chat } from "../../chat-api/chat.ts";
import type { Message } from "../../chat-api/message.ts";
import { failure } from "../failure.ts";
import { aChat, aCollection, aConversation, aMessage, aRecord, chatId } from "../testing/builders.ts";
import { type ConversationAction, reduceConversation } from "./reducer.ts";
import { statusOf, unreadMessagesOf } from "./selectors.ts";
import type { ConversationState } from "./state.ts";

const record = aRecord();
const start = { chatId, requestId: "req_1", messageId: "message_sent", replyId: "message_reply" };
const ownMessage = aMessage({ id: "message_sent", role: "visitor", text: record.text });
const reply = aMessage({ id: "message_reply", text: "Yes, we do." });
const turn = { message: ownMessage, reply, chat: aChat({ updatedAt: "2026-06-02T10:00:00.000Z" }) };

const reduceAll = (actions: readonly ConversationAction[], state: ConversationState = aConversation()) =>
  actions.reduce(reduceConversation, state);

const sending: ConversationAction[] = [
  { type: "outbox_changed", records: [record] },
  { type: "turn_started", key: record.key, start },
  { type: "turn_delta", key: record.key, text: "Yes, " },
];

test("marks messages that came while the customer was away as unread", () => {
  const news: ConversationAction = { type: "news_read", hasOlder: false, messages: [ownMessage, reply] };
  const away = reduceAll([{ type: "seen", messageId: ownMessage.id }, news]);
  expect(reduceAll([{ type: "looked_at" }], away).unreadAfterId).toBe(ownMessage.id);
  const seen = reduceAll([{ type: "seen", messageId: reply.id }], away);
  expect(reduceAll([{ type: "looked_at" }], seen).unreadAfterId).toBeNull();
});

test("replaces streamed text with the text of `done`", () => {
  const question = { ...turn, reply: { ...reply, text: "Which bike is it?" } };
  const done = reduceAll([...sending, { type: "turn_done", key: record.key, turn: question }]);
  expect(done.messages.at(-1)?.text).toBe("Which bike is it?");
});

test("shows no reply to a message that has left the outbox", () => {
  const state = reduceAll([
    ...sending.slice(0, 1),
    { type: "outbox_changed", records: [] },
    ...sending.slice(1),
  ]);
  expect(state.reply).toBeNull();
  expect(statusOf(state)).toBe("idle");
});

test("ignores a delta of another turn", () => {
  const state = reduceAll(sending);
  expect(reduceAll([{ type: "turn_delta", key: "key-other-1", text: "x" }], state).reply).toBe(state.reply);
});

test("expects no reply while the team has the chat", () => {
  const done = reduceAll([
    { type: "outbox_changed", records: [record] },
    { type: "turn_started", key: record.key, start: { ...start, replyId: null } },
    { type: "turn_done", key: record.key, turn: { ...turn, reply: null } },
  ]);
  expect(done.messages).toEqual([ownMessage]);
});

test("does not show a listed reply a second time as streaming", () => {
  const read = { type: "news_read", hasOlder: false, messages: [ownMessage, reply] } as const;
  for (const actions of [
    [...sending, read],
    [read, ...sending],
  ]) {
    const state = reduceAll(actions);
    expect(state.reply).toBeNull();
    expect(state.messages).toEqual([ownMessage, reply]);
  }
});

test("ignores the older chat state of a replay", () => {
  const resolved = aChat({ mode: "resolved", updatedAt: "2026-06-03T00:00:00.000Z" });
  const state = reduceAll([{ type: "chat_read", chat: resolved }]);
  expect(reduceAll([{ type: "turn_done", key: record.key, turn }], state).chat?.mode).toBe("resolved");
});

test("opens the form of a new message unless a newer version is known", () => {
  const [first, second] = ["request-1", "request-2"].map((id) => {
    const request = { id, collectionId: "return", purpose: "", fields: [], complete: false };
    return aCollection({ version: 2, request: { ...request, canSkip: false, canCancel: true } });
  });
  if (first === undefined || second === undefined) throw new Error("two forms are needed");
  const [earlier, asking] = [aMessage({ collection: first }), aMessage({ collection: second })];
  const shown = aConversation({ messages: [earlier], collection: first });
  const read = (messages: ConversationState["messages"], state: ConversationState) =>
    reduceConversation(state, { type: "news_read", hasOlder: false, messages }).collection;
  expect(read([earlier, asking], shown)).toBe(second);
  expect(read([earlier], { ...shown, collection: second })).toBe(second);
  const answered = aCollection({ version: 3 });
  expect(read([earlier, asking], { ...shown, collection: answered })).toBe(answered);
});

test("drops messages that a gap separates from the chat's end", () => {
  const at = (minute: number) => aMessage({ createdAt: `2026-06-02T09:${minute}:00.000Z` });
  const [first, second, third, fourth] = [at(10), at(20), at(30), at(40)];
  const end = [second, third];
  /** Reads the end after these messages were listed, and these came with turns. */
  const read = (listed: Message[], ofTurns: Message[]) =>
    (["end_read", "news_read"] as const).map((type) => {
      const state = { ...listing(listed), messages: [...listed, ...ofTurns] };
      return reduceConversation(state, { type, messages: end, hasOlder: true, seenId: null }).messages;
    });
  const both = (messages: Message[]) => [messages, messages];
  // Sent while the end was read, so the end lacks it.
  expect(read([], [fourth])).toEqual(both([second, third, fourth]));
  // The gap is read later, together with the earlier messages.
  expect(read([first], [])).toEqual(both(end));
  expect(read([first, second], [])).toEqual(both([first, second, third]));
  // The answer is known, and others that were written elsewhere are not.
  expect(read([first], [third])).toEqual(both(end));
  expect(read([first], [second])).toEqual(both(end));
  // An answer that was asked for again long after it was stored.
  expect(read([second, third], [first])).toEqual(both(end));
  expect(read([first, second, third, fourth], [])).toEqual(both([first, second, third, fourth]));
});

/** A conversation that has read these messages. */
const listing = (messages: readonly Message[]) =>
  aConversation({
    messages,
    listedId: messages.at(-1)?.id ?? null,
    history: { ...aConversation().history, hasOlder: true },
  });

test("takes over the order in which the server keeps messages", () => {
  const [a, b, c, d] = [aMessage(), aMessage(), aMessage(), aMessage()] as const;
  const joined = (state: ConversationState, messages: readonly Message[]) =>
    reduceConversation(state, { type: "news_read", messages, hasOlder: true }).messages;
  expect(joined(listing([a, b]), [b, c])).toEqual([a, b, c]);
  expect(joined({ ...listing([a]), messages: [a, d] }, [a, b, c, d])).toEqual([a, b, c, d]);
  expect(joined({ ...listing([a, b]), messages: [a, b, d] }, [b, c])).toEqual([a, b, c, d]);
  // Read before the known end, and arrived after it.
  expect(joined(listing([a, b, c]), [a, b])).toEqual([a, b, c]);
});

test("keeps the places of a turn's messages that are known already", () => {
  const crossing = aMessage({ role: "teammate" });
  const shown = listing([ownMessage, crossing, reply]);
  expect(reduceConversation(shown, { type: "turn_done", key: record.key, turn }).messages).toEqual([
    ownMessage,
    crossing,
    reply,
  ]);
});

test("prepends an older page with or without an overlap", () => {
  const [a, b, c, d] = [aMessage(), aMessage(), aMessage(), aMessage()] as const;
  const joined = (messages: readonly Message[]) =>
    reduceConversation(listing([c, d]), { type: "older_read", messages, hasOlder: true }).messages;
  expect([joined([a, b]), joined([a, b, c])]).toEqual([
    [a, b, c, d],
    [a, b, c, d],
  ]);
});

test("rebuilds the list from any pages at its end", () => {
  const list = Array.from({ length: 30 }, () => aMessage());
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 29 }), fc.nat({ max: 5 }))), (reads) => {
      const ends = reads.toSorted(([one], [other]) => one - other);
      const state = ends.reduce((before, [end, overlap]) => {
        const known = list.findIndex(({ id }) => id === before.listedId);
        const messages = list.slice(Math.max(0, known - overlap), end + 1);
        return reduceConversation(before, { type: "news_read", messages, hasOlder: true });
      }, listing([]));
      expect(state.messages).toEqual(list.slice(0, (ends.at(-1)?.[0] ?? -1) + 1));
    }),
  );
});

test("freezes the shown text on Stop and still adds the finished answer", () => {
  const stopped = reduceAll([
    ...sending,
    { type: "stop_showing" },
    { type: "turn_delta", key: record.key, text: "we do." },
  ]);
  expect(stopped.reply?.stoppedAt).toBe("Yes, ".length);
  expect(stopped.reply?.text).toBe("Yes, we do.");
  expect(reduceAll([{ type: "turn_done", key: record.key, turn }], stopped).messages).toContain(reply);
});

test("restores records as being sent, queued or refused", () => {
  const records = [
    aRecord({ attempted: true }),
    aRecord({ attempted: false }),
    aRecord({ refusal: failure("chat_closed") }),
  ];
  const { pending } = reduceAll([{ type: "outbox_changed", records }]);
  expect(pending.map(({ delivery }) => delivery.state)).toEqual(["sending", "queued", "refused"]);
});

test("removes the note when a refused message is sent again", () => {
  const refusedRecord = { ...record, refusal: failure("internal_error") };
  const { pending } = reduceAll([
    { type: "outbox_changed", records: [refusedRecord] },
    { type: "outbox_changed", records: [record] },
  ]);
  expect(pending[0]?.delivery.state).toBe("sending");
});

test("keeps a message refused when an attempt is heard of late", () => {
  const refused = { ...record, refusal: failure("chat_limit_reached") };
  const state = reduceAll([
    { type: "outbox_changed", records: [refused] },
    { type: "delivery_changed", key: record.key, delivery: { state: "checking" } },
  ]);
  expect(state.pending.map(({ delivery }) => delivery.state)).toEqual(["refused"]);
});

test("keeps an interrupted reply's text until a new attempt or the stored reply", () => {
  const doubtful = reduceAll([
    ...sending,
    { type: "delivery_changed", key: record.key, delivery: { state: "unsure" } },
  ]);
  expect(doubtful.reply?.text).toBe("Yes, ");
  expect(statusOf(doubtful)).toBe("recovering");
  const refusal = failure("operation_interrupted");
  const state = reduceAll(
    [{ type: "delivery_changed", key: record.key, delivery: { state: "refused", failure: refusal } }],
    doubtful,
  );
  expect(state.reply?.text).toBe("Yes, ");
  expect(statusOf(state)).toBe("idle");
  expect(reduceAll([{ type: "outbox_changed", records: [aRecord()] }], state).reply).toBeNull();
  expect(
    reduceAll([{ type: "news_read", hasOlder: false, messages: [ownMessage, reply] }], state).reply,
  ).toBeNull();
});

test("marks unread messages below the last one seen", () => {
  const seen = reduceAll([
    { type: "end_read", messages: [ownMessage, reply], hasOlder: false, seenId: reply.id },
  ]);
  expect(seen.unreadAfterId).toBeNull();
  const unseen = reduceAll([
    { type: "end_read", messages: [ownMessage, reply], hasOlder: false, seenId: ownMessage.id },
  ]);
  expect(unseen.unreadAfterId).toBe(ownMessage.id);
});

test("marks a message as unread that the server lists above the last one seen, until one is seen", () => {
  const crossing = aMessage({ role: "teammate" });
  const seen: ConversationAction = { type: "seen", messageId: reply.id };
  const read: ConversationAction = {
    type: "news_read",
    hasOlder: false,
    messages: [ownMessage, crossing, reply],
  };
  const crossed = reduceAll([
    { type: "news_read", hasOlder: false, messages: [ownMessage, reply] },
    seen,
    { type: "news_read", hasOlder: false, messages: [reply, crossing] },
    read,
    read,
  ]);
  expect(crossed.messages).toEqual([ownMessage, crossing, reply]);
  expect(unreadMessagesOf(crossed)).toEqual([crossing]);
  expect(reduceAll([{ type: "looked_at" }], crossed).unreadAfterId).toBe(ownMessage.id);
  expect(unreadMessagesOf(reduceAll([seen], crossed))).toEqual([]);
});

test("does not mark messages of earlier pages as unread", () => {
  const state = reduceAll([
    { type: "end_read", messages: [ownMessage, reply], hasOlder: true, seenId: reply.id },
    { type: "older_read", messages: [aMessage({ role: "teammate" })], hasOlder: false },
  ]);
  expect(unreadMessagesOf(state)).toEqual([]);
});

test("moves unsent messages into the new conversation", () => {
  const state = reduceAll([
    { type: "outbox_changed", records: [record] },
    { type: "restarted", createKey: "create-new-1", isGone: true },
  ]);
  expect(state).toMatchObject({ chatId: null, createKey: "create-new-1", messages: [], isRestarted: true });
  expect(state.pending).toHaveLength(1);
});

test("keeps a chat's later state when its creation is answered once more", () => {
  const [created, later] = ["2026-06-02T10:00:00.000Z", "2026-06-02T11:00:00.000Z"].map((updatedAt) =>
    aChat({ updatedAt }),
  ) as [Chat, Chat];
  const state = reduceAll([
    { type: "chat_created", chat: created },
    { type: "chat_read", chat: later },
    { type: "chat_created", chat: created },
  ]);
  expect(state.chat).toBe(later);
});

test("clears a failed poll with the next success", () => {
  const failed = reduceAll([{ type: "sync_failed", failure: failure("connection_lost") }]);
  expect(failed.syncFailure?.code).toBe("connection_lost");
  expect(reduceAll([{ type: "news_read", hasOlder: false, messages: [] }], failed).syncFailure).toBeNull();
});

// Messages may carry an older form, so the collection itself is read.
test("takes no form from the messages of a chat that is read again", () => {
  const [known, asking] = [aMessage(), aMessage({ collection: aCollection() })];
  const opened = reduceConversation(aConversation({ messages: [known] }), {
    type: "end_read",
    messages: [known, asking],
    hasOlder: false,
    seenId: null,
  });
  expect(opened.messages).toEqual([known, asking]);
  expect(opened.collection).toBeNull();
});

test("keeps a Retry-After wait across a reload", () => {
  const pause = failure("rate_limited", { at: 1_000_000, retryAfterSeconds: 30 });
  const { pending } = reduceAll([{ type: "outbox_changed", records: [{ ...record, pause }] }]);
  expect(pending[0]?.delivery).toEqual({ state: "waiting", at: 1_030_000, failure: pause });
});
