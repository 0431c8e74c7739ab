/** Collections over HTTP (docs/chat-api.md, "Forms and handoffs"). */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { Collection, type Field } from "#lib/chat-api/collection.ts";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import type { MessagePage } from "#lib/chat-api/message.ts";
import type { FormRequest } from "../agents/agent.ts";
import { chats } from "../db/schema.ts";
import { gate } from "../testing/scripted-agent.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";

type Answered = { item: Collection } & ErrorBody;

const form: FormRequest = {
  collectionId: "find-my-order",
  purpose: "To look up your order",
  fields: [
    { field: aField({ id: "order_reference", label: "Order reference" }), required: true },
    { field: aField({ id: "email", label: "E-mail", type: "email" }), required: true },
    { field: aField({ id: "note", label: "Note" }), required: false },
  ],
  canSkip: false,
  canCancel: true,
};
const answers = { order_reference: "TT-100482", email: "ana@example.com" };

test("a new chat has an empty collection", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const { status, body } = await read(channel, chatId);
  expect(status).toBe(200);
  expect(body.item).toEqual({
    version: 1,
    fields: [],
    values: [],
    request: null,
    missing: [],
    pendingAction: null,
    error: null,
  });
  expect(await channel.call("/chats/chat_unknown_0123456789/collection")).toMatchObject({
    status: 404,
    body: { error: { code: "chat_not_found" } },
  });
});

test("a requested form is on the message and in the collection", async () => {
  const { channel, chatId, collection } = await withForm();
  expect(collection).toEqual(Collection.parse(collection));
  expect(collection.request).toMatchObject({ collectionId: "find-my-order", complete: false });
  expect(collection.missing).toEqual(["order_reference", "email"]);
  const page = await channel.call<MessagePage>(`/chats/${chatId}/messages`);
  expect(page.body.items.at(-1)?.collection).toEqual(collection);
});

test("saving answers 200 with the collection and starts a follow-up turn", async () => {
  const { channel, chatId, collection } = await withForm();
  const { status, body } = await save(channel, chatId, collection, { values: answers });
  expect(status).toBe(200);
  expect(body.item).toMatchObject({
    version: collection.version + 1,
    request: null,
    missing: [],
    error: null,
  });
  expect(
    body.item.values.map(({ fieldId, value, status, actor }) => [fieldId, value, status, actor]),
  ).toEqual([
    ["order_reference", "TT-100482", "accepted", "visitor"],
    ["email", "ana@example.com", "accepted", "visitor"],
  ]);
  expect(body.item.values[0]?.updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(channel.agent.turns.at(-1)?.trigger).toEqual({
    type: "form",
    collectionId: "find-my-order",
    action: "save",
  });
  expect(channel.agent.turns.at(-1)?.collection.values).toEqual(body.item.values);
  const page = await channel.call<MessagePage>(`/chats/${chatId}/messages`);
  expect(page.body.items.map((message) => [message.role, message.text])).toEqual([
    ["visitor", "Where is my order?"],
    ["agent", "One moment"],
    ["agent", "Echo: save"],
  ]);
  expect((await read(channel, chatId)).body.item).toEqual(body.item);
});

test("does not wait for a slow agent", async () => {
  const { channel, chatId, collection } = await withForm();
  const { opened, open } = gate();
  channel.agent.answer(async function* () {
    await opened;
    yield { type: "text", text: "Found it" };
  });
  const saving = save(channel, chatId, collection, { values: answers });
  await expect.poll(() => channel.agent.turns.length).toBe(2);
  const during = await channel.send(chatId, { text: "Still there?" });
  expect(during.body.error.code).toBe("turn_in_progress");
  open();
  expect((await saving).status).toBe(200);
  await expect
    .poll(async () => (await channel.call<MessagePage>(`/chats/${chatId}/messages`)).body.items.at(-1)?.text)
    .toBe("Found it");
});

test("a partial save keeps the form open and starts no turn", async () => {
  const { channel, chatId, collection } = await withForm();
  const { body } = await save(channel, chatId, collection, { values: { order_reference: "TT-1" } });
  expect(body.item).toMatchObject({ missing: ["email"], request: { id: collection.request?.id } });
  expect(channel.agent.turns).toHaveLength(1);
});

test("the agent learns of cancelling and skipping", async () => {
  for (const action of ["cancel", "skip"] as const) {
    const { channel, chatId, collection } = await withForm({ ...form, canSkip: true });
    const { status, body } = await save(channel, chatId, collection, { action });
    expect(status).toBe(200);
    expect(body.item.request).toBeNull();
    expect(channel.agent.turns.at(-1)?.trigger).toMatchObject({ type: "form", action });
  }
});

test("a refusal is readable in the collection, and its key stays free", async () => {
  const { channel, chatId, collection } = await withForm();
  const key = randomUUID();
  const wrong = await save(channel, chatId, collection, { values: { ...answers, email: "nobody" } }, key);
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_submission", field: "/values/email" } },
  });
  const after = (await read(channel, chatId)).body.item;
  expect(after).toEqual({ ...collection, error: wrong.body.error.message });
  const right = await save(channel, chatId, after, { values: answers }, key);
  expect(right).toMatchObject({ status: 200, body: { item: { error: null } } });
});

test("a stale version is a conflict and changes nothing", async () => {
  const { channel, chatId, collection } = await withForm();
  const { body } = await save(channel, chatId, collection, { values: { order_reference: "TT-1" } });
  const stale = await save(channel, chatId, collection, { values: answers });
  expect(stale).toMatchObject({ status: 409, body: { error: { code: "version_conflict" } } });
  expect((await read(channel, chatId)).body.item).toEqual(body.item);
});

test("a repeated submission is replayed, not refused as stale", async () => {
  const { channel, chatId, collection } = await withForm();
  const key = randomUUID();
  const first = await save(channel, chatId, collection, { values: answers }, key);
  const again = await save(channel, chatId, collection, { values: answers }, key);
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(channel.agent.turns).toHaveLength(2);
  const other = await save(channel, chatId, collection, { values: { ...answers, note: "!" } }, key);
  expect(other.body.error.code).toBe("idempotency_conflict");
});

test("of twenty parallel saves, one succeeds and the others conflict", async () => {
  const { channel, chatId, collection } = await withForm();
  const results = await Promise.all(
    Array.from({ length: 20 }, () =>
      save(channel, chatId, collection, { values: { order_reference: "TT-1" } }),
    ),
  );
  expect(results.map((result) => result.status).sort()).toEqual([200, ...Array(19).fill(409)]);
  expect((await read(channel, chatId)).body.item.version).toBe(collection.version + 1);
});

test("fifty parallel requests with one key save once", async () => {
  const { channel, chatId, collection } = await withForm();
  const key = randomUUID();
  const results = await Promise.all(
    Array.from({ length: 50 }, () => save(channel, chatId, collection, { values: answers }, key)),
  );
  expect(new Set(results.map((result) => result.status))).toEqual(new Set([200]));
  expect(new Set(results.map((result) => JSON.stringify(result.body))).size).toBe(1);
  expect(channel.agent.turns).toHaveLength(2);
});

test("the order of the answers does not change the fingerprint", async () => {
  const { channel, chatId, collection } = await withForm();
  const key = randomUUID();
  await save(channel, chatId, collection, { values: answers }, key);
  const { order_reference, email } = answers;
  const again = await save(channel, chatId, collection, { values: { email, order_reference } }, key);
  expect(again.status).toBe(200);
});

test("a closed chat replays a saved submission and refuses a new one", async () => {
  const { channel, chatId, collection } = await withForm();
  const key = randomUUID();
  const first = await save(channel, chatId, collection, { values: answers }, key);
  await channel.database.sql.update(chats).set({ mode: "resolved" }).where(eq(chats.id, chatId));
  expect(await save(channel, chatId, collection, { values: answers }, key)).toMatchObject({
    status: 200,
    body: first.body,
  });
  expect((await save(channel, chatId, collection, { values: answers })).body.error.code).toBe("chat_closed");
});

test("a full chat refuses submissions", async () => {
  const { channel, chatId, collection } = await withForm();
  await channel.channel.settings.change({ limits: { operationsPerChat: 1 } });
  expect((await save(channel, chatId, collection, { values: answers })).body.error.code).toBe(
    "operation_capacity_reached",
  );
});

test("a chat beyond the plan refuses submissions", async () => {
  const { channel, chatId, collection } = await withForm();
  await channel.channel.settings.change({ limits: { chatsPerChannel: 0 } });
  const refused = await save(channel, chatId, collection, { values: answers });
  expect(refused).toMatchObject({ status: 429, body: { error: { code: "chat_limit_reached" } } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test.each<[string, unknown, string | undefined]>([
  [
    "21 answers",
    { values: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, "x"])) },
    "/values",
  ],
  ["an answer of 2,001 units", { values: { note: "x".repeat(2001) } }, "/values/note"],
  ["an answer that is a number", { values: { note: 1 } }, "/values/note"],
  ["an answer that is null", { values: { note: null } }, "/values/note"],
  ["answers as a list", { values: ["x"] }, "/values"],
  ["a key that is no field ID", { values: { "a b": "x" } }, "/values/a b"],
  ["U+0000 in an answer", { values: { note: "\u0000" } }, "/values/note"],
  ["half a character", { values: { note: "\ud800" } }, "/values/note"],
  ["21 skipped fields", { fieldIds: Array.from({ length: 21 }, (_, n) => `f${n}`) }, "/fieldIds"],
  ["a version in letters", { expectedVersion: "1" }, "/expectedVersion"],
  ["a fractional version", { expectedVersion: 1.5 }, "/expectedVersion"],
  ["no version", { expectedVersion: undefined }, "/expectedVersion"],
  ["no form's ID", { collectionRequestId: undefined }, "/collectionRequestId"],
  ["an unknown action", { action: "submit" }, "/action"],
])("%s is an invalid request", async (_name, changes, field) => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const body = { collectionRequestId: null, expectedVersion: 1, action: "save", ...(changes as object) };
  const answer = await channel.call<ErrorBody>(`/chats/${chatId}/collection`, { body });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "invalid_request", field } } });
});

test("refuses JSON nested 16,000 levels deep", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const deep = `${"[".repeat(16_000)}${"]".repeat(16_000)}`;
  const body = `{"collectionRequestId":null,"expectedVersion":1,"action":"save","values":{"note":${deep}}}`;
  expect(await channel.call(`/chats/${chatId}/collection`, { body })).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_request" } },
  });
});

test("accepts 2 MiB and refuses one byte more", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const body = '{"collectionRequestId":null,"expectedVersion":1,"action":"save"}';
  const padded = (bytes: number) => `${body}${" ".repeat(bytes - body.length)}`;
  expect((await channel.call(`/chats/${chatId}/collection`, { body: padded(2 * 1024 * 1024) })).status).toBe(
    200,
  );
  expect(
    await channel.call(`/chats/${chatId}/collection`, { body: padded(2 * 1024 * 1024 + 1) }),
  ).toMatchObject({
    status: 413,
    body: { error: { code: "payload_too_large" } },
  });
});

test("the follow-up turn survives the process that started it", async () => {
  const { channel, chatId, collection } = await withForm();
  const { opened, open } = gate();
  channel.agent.answer(async function* () {
    await opened;
    yield { type: "text", text: "never" };
  });
  const saving = save(channel, chatId, collection, { values: answers });
  await expect.poll(() => channel.agent.turns.length).toBe(2);
  await channel.channel.stop(0);
  open();
  expect((await saving).status).toBe(200);

  const next = await testChannel({ channelKey: channel.channelKey });
  next.channel.start();
  await expect
    .poll(async () => (await next.call<MessagePage>(`/chats/${chatId}/messages`)).body.items.at(-1)?.text)
    .toBe("Echo: save");
  await next.channel.stop(0);
});

/** A chat in which the agent has requested the form. */
async function withForm(asked = form) {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  channel.agent.answer(function* (turn) {
    if (turn.trigger.type === "form") yield { type: "text", text: `Echo: ${turn.trigger.action}` };
    else {
      yield { type: "text", text: "One moment" };
      yield { type: "request_form", form: asked };
    }
  });
  await channel.send(chatId, { text: "Where is my order?" });
  const { body } = await read(channel, chatId);
  return { channel, chatId, collection: body.item };
}

function read(channel: TestChannel, chatId: string) {
  return channel.call<Answered>(`/chats/${chatId}/collection`);
}

function save(channel: TestChannel, chatId: string, read: Collection, changes: object, key = randomUUID()) {
  const body = {
    collectionRequestId: read.request?.id ?? null,
    expectedVersion: read.version,
    action: "save",
    ...changes,
  };
  return channel.call<Answered>(`/chats/${chatId}/collection`, { body, key });
}

function aField(changes: Partial<Field> & { id: string }): Field {
  return { label: changes.id, description: "", type: "text", choices: [], ...changes };
}
