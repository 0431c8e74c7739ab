import { expect, test } from "vitest";
import { failure } from "./failure.ts";
import { type ConversationAction, reduceConversation } from "./reducer.ts";
import { statusOf } from "./selectors.ts";
import type { ConversationState } from "./state.ts";
import { aChat, aCollection, aConversation, aMessage, aRecord, chatId } from "./testing/builders.ts";

const record = aRecord();
const start = { chatId, requestId: "req_1", messageId: "message_sent", replyId: "message_reply" };
const sent = aMessage({ id: "message_sent", role: "visitor", text: record.text });
const reply = aMessage({ id: "message_reply", text: "Yes, we do." });
const turn = { message: sent, reply, chat: aChat({ updatedAt: "2026-06-02T10:00:00.000Z" }) };

const reduceAll = (actions: readonly ConversationAction[], state: ConversationState = aConversation()) =>
  actions.reduce(reduceConversation, state);

const sending: ConversationAction[] = [
  { type: "outbox_changed", records: [record] },
  { type: "turn_started", key: record.key, start },
  { type: "turn_delta", key: record.key, text: "Yes, " },
];

test("a turn goes from the outbox through its deltas to two messages", () => {
  const writing = reduceAll(sending);
  expect(statusOf(writing)).toBe("streaming");
  expect(writing.reply?.text).toBe("Yes, ");
  const done = reduceAll([{ type: "turn_done", key: record.key, turn }], writing);
  expect(done.messages).toEqual([sent, reply]);
  expect(done.pending).toEqual([]);
  expect(done.reply).toBeNull();
  expect(done.chat).toBe(turn.chat);
  expect(statusOf(done)).toBe("idle");
});

test("what came while the customer was away stands below the unread mark", () => {
  const news: ConversationAction = { type: "news_read", messages: [sent, reply] };
  const away = reduceAll([{ type: "seen", messageId: sent.id }, news]);
  expect(reduceAll([{ type: "looked_at" }], away).unreadAfterId).toBe(sent.id);
  const seen = reduceAll([{ type: "seen", messageId: reply.id }], away);
  expect(reduceAll([{ type: "looked_at" }], seen).unreadAfterId).toBeNull();
});

test("a repeated start keeps the text on screen until the text so far comes again", () => {
  const again = reduceAll([...sending, { type: "turn_started", key: record.key, start }]);
  expect(again.reply?.text).toBe("Yes, ");
  expect(statusOf(again)).toBe("recovering");
  const resumed = reduceAll([{ type: "turn_delta", key: record.key, text: "Yes, we" }], again);
  expect(resumed.reply?.text).toBe("Yes, we");
  const further = reduceAll([{ type: "turn_delta", key: record.key, text: " do." }], resumed);
  expect(further.reply?.text).toBe("Yes, we do.");
});

test("done wins over what was streamed", () => {
  const question = { ...turn, reply: { ...reply, text: "Which bike is it?" } };
  const done = reduceAll([...sending, { type: "turn_done", key: record.key, turn: question }]);
  expect(done.messages.at(-1)?.text).toBe("Which bike is it?");
});

test("a delta of another turn changes nothing", () => {
  const state = reduceAll(sending);
  expect(reduceAll([{ type: "turn_delta", key: "key-other-1", text: "x" }], state).reply).toBe(state.reply);
});

test("with the team there is no reply to wait for", () => {
  const done = reduceAll([
    { type: "outbox_changed", records: [record] },
    { type: "turn_started", key: record.key, start: { ...start, replyId: null } },
    { type: "turn_done", key: record.key, turn: { ...turn, reply: null } },
  ]);
  expect(done.messages).toEqual([sent]);
});

test("a reply that a poll has listed is not shown a second time as being written", () => {
  const state = reduceAll([...sending, { type: "news_read", messages: [sent, reply] }]);
  expect(state.reply).toBeNull();
  expect(state.messages).toEqual([sent, reply]);
});

test("the chat of a replay is older and does not undo what is known", () => {
  const resolved = aChat({ mode: "resolved", updatedAt: "2026-06-03T00:00:00.000Z" });
  const state = reduceAll([{ type: "chat_read", chat: resolved }]);
  expect(reduceAll([{ type: "turn_done", key: record.key, turn }], state).chat?.mode).toBe("resolved");
});

test("a form that a new message brings is what is asked now, unless more is known of it", () => {
  const [first, second] = ["request-1", "request-2"].map((id) => {
    const request = { id, collectionId: "return", purpose: "", fields: [], complete: false };
    return aCollection({ version: 2, request: { ...request, canSkip: false, canCancel: true } });
  });
  if (first === undefined || second === undefined) throw new Error("two forms are needed");
  const [earlier, asking] = [aMessage({ collection: first }), aMessage({ collection: second })];
  const shown = aConversation({ messages: [earlier], collection: first });
  const read = (messages: ConversationState["messages"], state: ConversationState) =>
    reduceConversation(state, { type: "news_read", messages }).collection;
  expect(read([earlier, asking], shown)).toBe(second);
  expect(read([earlier], { ...shown, collection: second })).toBe(second);
  const answered = aCollection({ version: 3 });
  expect(read([earlier, asking], { ...shown, collection: answered })).toBe(answered);
});

test("the end of a chat that does not join on to what is known stands where it belongs", () => {
  const at = (minute: number) => aMessage({ createdAt: `2026-06-02T09:${minute}:00.000Z` });
  const [first, second, third, fourth] = [at(10), at(20), at(30), at(40)];
  const end = [second, third];
  const read = (known: ConversationState["messages"]) =>
    reduceConversation(aConversation({ messages: known }), {
      type: "end_read",
      messages: end,
      hasOlder: true,
      seenId: null,
    }).messages;
  // Sent while the end was on its way, and not in it yet.
  expect(read([fourth])).toEqual([second, third, fourth]);
  // Left long ago: what lies between is read with the earlier messages.
  expect(read([first])).toEqual(end);
  expect(read([first, second])).toEqual([first, second, third]);
});

test("stop freezes what is shown, and the finished answer still comes", () => {
  const stopped = reduceAll([
    ...sending,
    { type: "stop_showing" },
    { type: "turn_delta", key: record.key, text: "we do." },
  ]);
  expect(stopped.reply?.stoppedAt).toBe("Yes, ".length);
  expect(stopped.reply?.text).toBe("Yes, we do.");
  expect(reduceAll([{ type: "turn_done", key: record.key, turn }], stopped).messages).toContain(reply);
});

test("a record read after a reload is being checked, an untouched one is queued, a refused one stays refused", () => {
  const records = [
    aRecord({ attempted: true }),
    aRecord({ attempted: false }),
    aRecord({ refusal: failure("chat_closed") }),
  ];
  const { pending } = reduceAll([{ type: "outbox_changed", records }]);
  expect(pending.map(({ delivery }) => delivery.state)).toEqual(["checking", "queued", "refused"]);
});

test("another try at a refused message takes its note away", () => {
  const refused = { ...record, refusal: failure("internal_error") };
  const { pending } = reduceAll([
    { type: "outbox_changed", records: [refused] },
    { type: "outbox_changed", records: [record] },
  ]);
  expect(pending[0]?.delivery.state).toBe("checking");
});

test("a refused turn leaves no half answer", () => {
  const state = reduceAll([
    ...sending,
    {
      type: "delivery_changed",
      key: record.key,
      delivery: { state: "refused", failure: failure("operation_interrupted") },
    },
  ]);
  expect(state.reply).toBeNull();
  expect(state.pending[0]?.delivery.state).toBe("refused");
});

test("unread messages are marked below the last one seen, and only then", () => {
  const seen = reduceAll([{ type: "end_read", messages: [sent, reply], hasOlder: false, seenId: reply.id }]);
  expect(seen.unreadAfterId).toBeNull();
  const unseen = reduceAll([{ type: "end_read", messages: [sent, reply], hasOlder: false, seenId: sent.id }]);
  expect(unseen.unreadAfterId).toBe(sent.id);
});

test("a restart begins an empty conversation with the unsent messages", () => {
  const state = reduceAll([
    { type: "outbox_changed", records: [record] },
    { type: "restarted", createKey: "create-new-1" },
  ]);
  expect(state).toMatchObject({ chatId: null, createKey: "create-new-1", messages: [], isRestarted: true });
  expect(state.pending).toHaveLength(1);
});

test("a quiet failure is gone with the next success", () => {
  const failed = reduceAll([{ type: "sync_failed", failure: failure("connection_lost") }]);
  expect(failed.syncFailure?.code).toBe("connection_lost");
  expect(reduceAll([{ type: "news_read", messages: [] }], failed).syncFailure).toBeNull();
});
