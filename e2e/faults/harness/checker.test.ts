/** Falsified histories: the checker must report each of them, and nothing in a correct one. */
import { expect, test } from "vitest";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { File, Message } from "#lib/chat-api/message.ts";
import { aChat, aCollection, aFile, aMessage } from "#lib/engine/testing/builders.ts";
import { type Check, check, checks } from "./checker.ts";
import type { FinalChat, HistoryRecord, Listed, ReplyExpectation, WriteOperation } from "./history.ts";

const time = (second: number) => `2026-06-02T09:30:${String(second).padStart(2, "0")}.000Z`;

/** Builds a correct history, step by step. */
function aTrueHistory() {
  const records: HistoryRecord[] = [];
  let clock = 0;
  const at = () => {
    clock += 1;
    return clock;
  };
  const messages = new Map<string, Message[]>();
  const chats = new Map<string, { customer: string; chat: Chat }>();

  function write(
    customer: string,
    operation: WriteOperation,
    key: string,
    chatId: string | null,
    request: unknown,
    item: unknown,
    more: { createKey?: string; expects?: ReplyExpectation } = {},
  ) {
    const { createKey = null, ...rest } = more;
    const common = { customer, operation, key };
    records.push({ type: "invoked", at: at(), ...common, chatId, createKey, request, ...rest });
    if (operation !== "submitCollection") {
      records.push({ type: "answered", at: at(), customer, operation, key, status: 201 });
    }
    records.push({ type: "result", at: at(), ...common, item });
    records.push({ type: "ended", at: at(), ...common, outcome: "ok", code: null });
    records.push({ type: "result", at: at(), ...common, item });
  }

  function create(customer: string, id: string) {
    const chat = aChat({ id, userId: `user-of-${customer.replace(" ", "-")}` });
    chats.set(id, { customer, chat });
    messages.set(id, []);
    write(customer, "createChat", `create-${id}`, null, { locale: "en" }, chat);
  }

  function listed(chatId: string): Message[] {
    const list = messages.get(chatId);
    if (list === undefined) throw new Error(`there is no ${chatId}`);
    return list;
  }

  /** A message and its reply, received as a stream. */
  function say(chatId: string, nonce: string, files: readonly File[] = []) {
    const { customer, chat } = chats.get(chatId) ?? { customer: "", chat: aChat() };
    const list = listed(chatId);
    const text = `Where is my order ${nonce}?`;
    const key = `send-${nonce}`;
    const message = aMessage({
      id: `message-${nonce}`,
      chatId,
      role: "visitor",
      text,
      createdAt: time(list.length),
      files: [...files],
    });
    const reply = aMessage({
      id: `reply-${nonce}`,
      chatId,
      text: `I cannot show ${nonce}.`,
      createdAt: time(list.length + 1),
    });
    list.push(message, reply);
    const done = { message, reply, chat };
    const request = { text, ...(files.length === 0 ? {} : { fileIds: files.map(({ id }) => id) }) };
    write(customer, "sendMessage", key, chatId, request, done, { expects: "echo" });
    records.push({
      type: "streamed",
      at: at(),
      customer,
      key,
      text: reply.text,
      messageId: message.id,
      replyId: reply.id,
      done,
    });
  }

  function list(chatId: string) {
    const { customer = "" } = chats.get(chatId) ?? {};
    records.push({
      type: "listed",
      since: at(),
      at: at(),
      customer,
      chatId,
      items: [...listed(chatId)],
    });
  }

  const upload = (customer: string, chatId: string) => {
    const file = aFile({ id: "file-one-0001", chatId, filename: "X-000009.txt", byteSize: 8 });
    const request = { filename: "X-000009.txt", text: "X-000009" };
    write(customer, "uploadFile", "upload-one", chatId, request, file);
    return file;
  };

  const values = { order_reference: "X-000007" };
  const saved = aCollection({
    version: 3,
    values: [
      {
        fieldId: "order_reference",
        value: "X-000007",
        status: "accepted",
        actor: "visitor",
        updatedAt: time(9),
      },
    ],
  });

  create("customer 1", "chat-one-0001");
  say("chat-one-0001", "X-000001");
  list("chat-one-0001");
  say("chat-one-0001", "X-000002", [upload("customer 1", "chat-one-0001")]);
  list("chat-one-0001");
  const form = { collectionRequestId: "form-1", expectedVersion: 2, action: "save", values };
  write("customer 1", "submitCollection", "save-one", "chat-one-0001", form, saved);
  create("customer 2", "chat-two-0001");
  say("chat-two-0001", "X-000003");
  const waiting = { status: "waiting", requestedAt: time(20), requiresEmail: false } as const;
  const passedOn = aChat({
    id: "chat-two-0001",
    userId: "user-of-customer-2",
    mode: "waiting",
    handoff: { ...waiting, nextAvailableAt: null, timezone: null },
  });
  write("customer 2", "handoff", "hand-two", "chat-two-0001", { confirmationId: "yes" }, passedOn);
  listed("chat-two-0001").push(
    aMessage({
      chatId: "chat-two-0001",
      role: "system",
      text: "A teammate will be with you.",
      createdAt: time(21),
    }),
  );
  records.push({ type: "noticed", at: at(), notice: "notice-two", chatId: "chat-two-0001" });
  for (const [id, { customer, chat }] of chats) {
    records.push({
      type: "final",
      at: at(),
      customer,
      chat: id === "chat-two-0001" ? passedOn : chat,
      messages: listed(id),
      collection: id === "chat-one-0001" ? saved : aCollection(),
    });
  }
  // A deep copy, as if read from a file: no object is shared.
  return JSON.parse(JSON.stringify(records)) as HistoryRecord[];
}

const found = (records: readonly HistoryRecord[]) => [
  ...new Set(check(records).map((violation) => violation.check)),
];

function theFinal(
  records: readonly HistoryRecord[],
  chatId = "chat-one-0001",
): FinalChat & { messages: Message[] } {
  const final = records.find((record) => record.type === "final" && record.chat.id === chatId);
  if (final?.type !== "final") throw new Error("the chat is not there");
  return final as FinalChat & { messages: Message[] };
}

function the<T extends HistoryRecord["type"]>(
  records: readonly HistoryRecord[],
  type: T,
  key: string,
): Extract<HistoryRecord, { type: T }>[] {
  return records.filter(
    (record): record is Extract<HistoryRecord, { type: T }> =>
      record.type === type && "key" in record && record.key === key,
  );
}

function theLast<R>(found: readonly R[]): R {
  const last = found.at(-1);
  if (last === undefined) throw new Error("there is none");
  return last;
}

const tried = new Set<Check>();

/** Tests that the checker reports this violation in a falsified history. */
function sees(check: Check, what: string, falsify: (records: HistoryRecord[]) => void): void {
  tried.add(check);
  test(`detects ${what}`, () => {
    const records = aTrueHistory();
    falsify(records);
    expect(found(records)).toContain(check);
  });
}

sees("stored_once", "a message that is stored twice", (records) => {
  const { messages } = theFinal(records);
  const [message, reply] = messages;
  if (message && reply) messages.splice(2, 0, { ...message, id: "again" }, { ...reply, id: "again-reply" });
});
sees("stored_once", "an acknowledged message without its file", (records) => {
  for (const message of theFinal(records).messages) message.files = [];
});
sees("unknown_at_most_once", "an unknown message that is stored twice", (records) => {
  drop(records, (record) => record.type === "result" && record.key === "send-X-000001");
  for (const ended of the(records, "ended", "send-X-000001")) ended.outcome = "unknown";
  const { messages } = theFinal(records);
  const [message] = messages;
  if (message) messages.splice(2, 0, { ...message, id: "again" });
});
sees("refused_is_absent", "a message that was refused and stored", (records) => {
  drop(records, (record) => record.type === "result" && record.key === "send-X-000001");
  for (const ended of the(records, "ended", "send-X-000001")) ended.outcome = "failed";
});
sees("one_reply", "a second reply", (records) => {
  const { messages } = theFinal(records);
  const reply = messages[1];
  if (reply) messages.splice(2, 0, { ...reply, id: "second" }, { ...reply, id: "third" });
});
sees("one_reply", "a message that succeeded without a reply", (records) => {
  for (const { item } of the(records, "result", "send-X-000001")) (item as { reply: unknown }).reply = null;
  theFinal(records).messages.splice(1, 1);
});
sees("own_reply", "two replies that were swapped", (records) => {
  const { messages } = theFinal(records);
  const [first, second] = [messages[1], messages[3]];
  if (first && second) [messages[1], messages[3]] = [second, first];
});
sees("nothing_missing", "two turns that were swapped", (records) => {
  const { messages } = theFinal(records);
  messages.push(...messages.splice(0, 2));
});
sees("reply_follows", "a time that goes back", (records) => {
  const reply = theFinal(records).messages[1];
  if (reply) reply.createdAt = "2026-06-02T09:00:00.000Z";
});
sees("reply_follows", "a reply that stands elsewhere", (records) => {
  const { messages } = theFinal(records);
  messages.push(...messages.splice(1, 1));
});
sees("one_reply", "an answer that nobody asked for", (records) => {
  const { messages } = theFinal(records);
  for (const id of ["invented-1", "invented-2"])
    messages.push(aMessage({ id, chatId: "chat-one-0001", text: "By the way", createdAt: time(50) }));
});
sees(
  "own_reply",
  "a message that nobody sent",
  (records) =>
    void theFinal(records).messages.push(
      aMessage({ chatId: "chat-one-0001", role: "visitor", text: "I never said this", createdAt: time(50) }),
    ),
);
sees("own_reply", "a reply with other words than were told", (records) => {
  const reply = theFinal(records).messages[1];
  if (reply) reply.text = "I cannot show X-000001 today.";
});
sees("own_reply", "a reply that names nothing of its question", (records) => {
  for (const record of everyMessage(records)) if (record.id === "reply-X-000001") record.text = "Hello.";
});
sees("equal_replays", "a replay with another reply", (records) => {
  const { item } = theLast(the(records, "result", "send-X-000001"));
  (item as { reply: Message }).reply.text += " Really.";
});
sees("equal_replays", "a replay of an upload with another ID", (records) => {
  (theLast(the(records, "result", "upload-one")).item as { id: string }).id = "file-two-0001";
});
sees("equal_replays", "a key whose message changed between two streams", (records) => {
  const streamed = theLast(the(records, "streamed", "send-X-000001"));
  records.push({ ...streamed, messageId: "message-other", done: null });
});
sees(
  "one_first",
  "a second first execution under a key",
  (records) => void records.push(theLast(the(records, "answered", "send-X-000001"))),
);
sees("one_chat", "a second chat under a key", (records) => {
  const created = theLast(the(records, "result", "create-chat-one-0001"));
  records.push({ ...created, item: { ...(created.item as Chat), id: "chat-one-0002" } });
});
sees("deltas_are_reply", "a stream with one letter changed", (records) => {
  const streamed = theLast(the(records, "streamed", "send-X-000001"));
  streamed.text = streamed.text.replace("cannot", "can not");
});
sees("deltas_are_reply", "a stream that tells only the end of its reply", (records) => {
  const streamed = theLast(the(records, "streamed", "send-X-000001"));
  streamed.text = streamed.text.slice(-5);
});
sees("one_save", "two saves of the same version of a form", (records) => {
  for (const type of ["invoked", "result"] as const) {
    const [record] = the(records, type, "save-one");
    if (record) records.push({ ...record, key: "save-two" });
  }
});
sees("nothing_missing", "a form's answer that is lost", (records) => {
  const { collection } = theFinal(records);
  collection.values = [];
});
sees("one_handoff", "a chat that was passed on twice", (records) => {
  for (const type of ["invoked", "result"] as const) {
    const [record] = the(records, type, "hand-two");
    if (record) records.push({ ...record, key: "hand-three" });
  }
});
sees("one_handoff", "a handoff that was acknowledged and forgotten", (records) => {
  theFinal(records, "chat-two-0001").chat.handoff = null;
});
sees("one_notice", "a handoff that the team never hears of", (records) =>
  drop(records, (record) => record.type === "noticed"),
);
sees("one_notice", "a notice that two processes delivered", (records) => {
  const notice = records.find((record) => record.type === "noticed");
  if (notice) records.push({ ...notice, at: notice.at + 100 });
});
sees("nothing_missing", "a list in which an acknowledged message is missing", (records) => {
  const listed = theLast(records.filter((record): record is Listed => record.type === "listed"));
  listed.items = listed.items.slice(2);
});
sees("nothing_missing", "a chat that is gone", (records) =>
  drop(records, (record) => record.type === "final" && record.chat.id === "chat-one-0001"),
);
sees("one_file", "a file with other bytes", (records) => {
  for (const { item } of the(records, "result", "upload-one")) (item as File).byteSize = 7;
});
sees("own_data", "a list that shows what another customer wrote", (records) => {
  const listed = theLast(records.filter((record): record is Listed => record.type === "listed"));
  listed.items = [...listed.items, ...theFinal(records, "chat-two-0001").messages.slice(0, 1)];
});
sees("own_data", "two customers under one user", (records) => {
  theFinal(records, "chat-two-0001").chat.userId = "user-of-customer-1";
});
sees(
  "nothing_broke",
  "a program that ended by itself",
  (records) => void records.push({ type: "broken", at: 0, what: "channel 1: exit code 1" }),
);

function drop(records: HistoryRecord[], isDropped: (record: HistoryRecord) => boolean): void {
  for (let index = records.length - 1; index >= 0; index -= 1) {
    const record = records[index];
    if (record !== undefined && isDropped(record)) records.splice(index, 1);
  }
}

/** Every message inside a value, at any depth. */
function everyMessage(value: unknown): Message[] {
  if (typeof value !== "object" || value === null) return [];
  const within = Object.values(value).flatMap(everyMessage);
  return "role" in value && "text" in value ? [value as Message, ...within] : within;
}

test("reports nothing for a correct history", () => {
  expect(check(aTrueHistory())).toEqual([]);
});

test("every check fails for a falsified history", () => {
  expect(Object.keys(checks).filter((name) => !tried.has(name as Check))).toEqual([]);
});
