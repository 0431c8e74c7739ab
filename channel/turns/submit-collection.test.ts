/** Cases that `e2e/contract/collection.spec.ts` does not cover: follow-up turns and races. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Collection, Field } from "#lib/chat-api/collection.ts";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import type { MessagePage } from "#lib/chat-api/message.ts";
import type { FormRequest } from "../agents/agent.ts";
import { chats } from "../db/schema.ts";
import { gate } from "../testing/scripted-agent.ts";
import { type TestChannel, testChannel, testChat } from "../testing/test-channel.ts";

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

test("saving answers 200 with the collection and starts a follow-up turn", async () => {
  const { channel, chatId, collection } = await withForm();
  const { status, body } = await save(channel, chatId, collection, { values: answers });
  expect([status, body.item.version]).toEqual([200, collection.version + 1]);
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
  const { channel, chatId } = await testChat();
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
