/** The team API over HTTP: every way in which a handoff can end, and concurrent teammates. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import type { Message } from "#lib/chat-api/message.ts";
import { aField } from "#lib/chat-api/testing/builders.ts";
import { offeredChat, type TestChannel, testChannel, waitingChat } from "../testing/test-channel.ts";
import type { ModeCounts, TeamChat, TeamChatSummary } from "./team-inbox.ts";

type Answered<T> = { item: T } & ErrorBody;

const form = {
  collectionId: "call-back",
  purpose: "So that the workshop can call you",
  fields: [
    { field: { id: "phone", label: "Telephone", type: "text" }, required: true },
    {
      field: { id: "when", label: "When", type: "choice", choices: [{ id: "am", label: "Morning" }] },
      required: false,
    },
  ],
};

test("an unclaimed chat keeps waiting until it is released", async () => {
  const { channel, chatId, confirmationId } = await waiting();
  await channel.advance(3 * 24 * 60 * 60 * 1000);
  expect((await channel.getChat(chatId)).mode).toBe("waiting");
  const { body } = await act(channel, chatId, "release");
  expect(body.item).toMatchObject({ mode: "agent", handoff: { status: "resolved" } });
  expect((await texts(channel, chatId)).at(-1)?.[1]).toMatch(/passed the chat back/);
  // The accepted offer cannot be used again.
  const stale = await channel.call<ErrorBody>(`/chats/${chatId}/handoff`, { body: { confirmationId } });
  expect(stale).toMatchObject({ status: 409, body: { error: { code: "confirmation_required" } } });
});

test("of two parallel claims, one succeeds and the other's error names the teammate", async () => {
  const { channel, chatId } = await waiting();
  const results = await Promise.all(
    ["Priya N.", "Tomasz K."].map((name) => act(channel, chatId, "claim", { name })),
  );
  expect(results.map((result) => result.status).sort()).toEqual([200, 409]);
  const lost = results.find((result) => result.status === 409);
  const holder = (await channel.getChat(chatId)).teammate?.name ?? "";
  expect(lost?.body.error).toMatchObject({
    code: "operation_superseded",
    message: `${holder} has this chat.`,
  });
  const other = holder === "Zoë" ? "Priya N." : "Zoë";
  const post = await team<ErrorBody>(channel, `/chats/${chatId}/messages`, { text: "Hi", name: other });
  expect(post.body.error.code).toBe("operation_superseded");
  const taken = await act(channel, chatId, "claim", { name: other, takesOver: true });
  expect(taken.body.item.teammate).toEqual({ name: other });
});

test("a message with an idempotency key is posted once, by the chat's teammate alone", async () => {
  const { channel, chatId } = await waiting();
  const refusal = await team<ErrorBody>(channel, `/chats/${chatId}/messages`, { text: "Hello" });
  expect(refusal).toMatchObject({ status: 409, body: { error: { code: "operation_superseded" } } });
  await act(channel, chatId, "claim", { name: "Zoë" });
  const post = (key: string) =>
    team<Answered<Message>>(
      channel,
      `/chats/${chatId}/messages`,
      { text: "Hello" },
      { headers: { "idempotency-key": key } },
    );
  const key = randomUUID();
  const [one, two] = await Promise.all([post(key), post(key)]);
  expect(one.body).toEqual(two.body);
  await post(randomUUID());
  expect((await texts(channel, chatId)).filter(([role]) => role === "teammate")).toHaveLength(2);
});

test("the customer fills in a teammate's form, and both see the answers", async () => {
  const { channel, chatId } = await waiting();
  await act(channel, chatId, "claim", { name: "Tomasz K." });
  const asked = await team<Answered<Message>>(channel, `/chats/${chatId}/form`, { form });
  expect(asked.status).toBe(201);
  expect(asked.body.item).toMatchObject({
    role: "teammate",
    author: { name: "Tomasz K." },
    text: form.purpose,
    collection: { missing: ["phone"], request: { collectionId: "call-back", canCancel: true } },
  });
  const open = await channel.collectionOf(chatId);
  expect(open).toEqual(asked.body.item.collection);
  const saved = await channel.submit(chatId, open, { values: { phone: "+44 1632 960001" } });
  expect(saved.status).toBe(200);
  expect((await texts(channel, chatId)).at(-1)).toEqual([
    "system",
    "Your details have been passed to the team.",
  ]);
  const { body } = await team<Answered<TeamChat>>(channel, `/chats/${chatId}`);
  expect(body.item.collection.values).toMatchObject([{ fieldId: "phone", value: "+44 1632 960001" }]);
});

test("claiming a chat closes its handoff form", async () => {
  const channel = await testChannel();
  const fields = [{ field: aField({ id: "topic" }), required: true }];
  const details = { collectionId: "before", purpose: "Why", fields, canSkip: false, canCancel: true };
  const { chatId, offer } = await offeredChat(channel, {}, details);
  const { confirmationId } = offer;
  await channel.call(`/chats/${chatId}/handoff`, { body: { confirmationId } });
  expect(await channel.collectionOf(chatId)).toMatchObject({ pendingAction: "handoff" });
  await act(channel, chatId, "claim", { name: "Zoë" });
  expect(await channel.collectionOf(chatId)).toMatchObject({ pendingAction: null, request: null });
});

test("the inbox lists waiting chats, the longest wait first, and counts the unanswered", async () => {
  const channel = await testChannel();
  const first = (await waiting(channel)).chatId;
  await channel.advance(60_000);
  const second = (await waiting(channel)).chatId;
  await channel.send(second, { text: "Anybody?" });
  const claimed = (await waiting(channel)).chatId;
  await act(channel, claimed, "claim", { name: "Zoë" });
  const quiet = await channel.createChat({ locale: "de" });

  const inbox = await team<{ items: TeamChatSummary[]; counts: ModeCounts }>(channel, "/chats?mode=waiting");
  expect(inbox.body.items.map((item) => item.chat.id)).toEqual([first, second]);
  expect(inbox.body.items.map((item) => item.unanswered)).toEqual([0, 1]);
  expect(inbox.body.items[1]?.lastMessage).toMatchObject({ role: "visitor", text: "Anybody?" });
  expect(inbox.body.counts).toEqual({ agent: 1, waiting: 2, teammate: 1, resolved: 0 });
  const all = await team<{ items: TeamChatSummary[] }>(channel, "/chats?limit=200");
  expect(all.body.items).toHaveLength(4);
  expect(all.body.items.find((item) => item.chat.id === quiet)).toMatchObject({
    locale: "de",
    lastMessage: null,
    email: null,
  });
  expect((await team<ErrorBody>(channel, "/chats?mode=open")).body.error).toMatchObject({
    code: "invalid_request",
    field: "/mode",
  });
});

test("the team sees its own channel's chats only", async () => {
  const { chatId } = await waiting();
  const other = await testChannel();
  expect((await team<ErrorBody>(other, `/chats/${chatId}`)).body.error.code).toBe("chat_not_found");
  expect((await act(other, chatId, "claim", { name: "Zoë" })).body.error.code).toBe("chat_not_found");
  expect((await team<{ items: unknown[] }>(other, "/chats")).body.items).toEqual([]);
});

test("hours can be set, read and removed, and an error names its field", async () => {
  const channel = await testChannel();
  const hours = {
    timeZone: "Europe/London",
    weekly: { mon: [["09:00", "17:30"]] },
    closures: [{ date: "12-25", label: "Christmas Day" }],
  };
  const put = await team<{ item: Record<string, unknown> }>(channel, "/hours", hours, { method: "PUT" });
  expect(put).toMatchObject({
    status: 200,
    body: { item: { timezone: "Europe/London", hours: { closures: hours.closures } } },
  });
  const { item } = (await team<{ item: object }>(channel, "/hours")).body;
  expect({ ...item, now: null }).toEqual({ ...put.body.item, now: null });
  const wrong = await team<ErrorBody>(channel, "/hours", { ...hours, timeZone: "Mars/X" }, { method: "PUT" });
  expect(wrong.body.error).toMatchObject({ code: "invalid_request", field: "/timeZone" });
  const gone = await team<{ item: object }>(channel, "/hours", undefined, { method: "DELETE" });
  expect(gone.body.item).toMatchObject({
    hours: null,
    requiresEmail: false,
    nextAvailableAt: null,
    timezone: null,
  });
});

test.each([
  ["claim", { name: " " }, "/name"],
  ["claim", { name: "x".repeat(81) }, "/name"],
  ["messages", { text: "x".repeat(4001) }, "/text"],
  ["release", { why: "tired" }, "/why"],
  ["form", { form: { ...form, fields: [form.fields[0], form.fields[0]] } }, "/form/fields"],
  ["details", { values: [] }, "/values"],
])("%s with a wrong body is an invalid request (%#)", async (action, body, field) => {
  const { channel, chatId } = await waiting();
  const response = await team<ErrorBody>(channel, `/chats/${chatId}/${action}`, body);
  expect(response).toMatchObject({ status: 400, body: { error: { code: "invalid_request", field } } });
});

/** A chat with an accepted handoff. */
async function waiting(shared?: TestChannel) {
  const channel = shared ?? (await testChannel());
  return { channel, ...(await waitingChat(channel)) };
}

function act(channel: TestChannel, chatId: string, action: string, body: object = {}) {
  return team<Answered<Chat>>(channel, `/chats/${chatId}/${action}`, body);
}

async function team<Body = unknown>(
  channel: TestChannel,
  path: string,
  body?: object,
  call: Parameters<TestChannel["asTeam"]>[2] = {},
) {
  const response = await channel.asTeam(`/team${path}`, body, call);
  // Each test states what it expects of the body.
  return { status: response.status, body: (await response.json()) as Body };
}

async function texts(channel: TestChannel, chatId: string): Promise<[string, string][]> {
  return (await channel.messagesOf(chatId)).map((message) => [message.role, message.text]);
}
