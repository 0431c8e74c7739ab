/** Lab behaviour that the contract tests, which use the lab to produce error codes, do not cover. */

import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import { aField } from "#lib/chat-api/testing/builders.ts";
import type { TeamNotice } from "../handoffs/outbox.ts";
import { listen } from "../http/server.ts";
import { type TestChannel, testChannel, testChat } from "../testing/test-channel.ts";
import type { RecordedRequest } from "./lab-client.ts";
import { createLabMemory } from "./lab-memory.ts";

test("after an error with `at: response`, a replay returns the operation's result", async () => {
  const { channel, chatId } = await testChat();
  await lab(channel, "/faults", {
    operation: "sendMessage",
    fault: "error",
    code: "internal_error",
    at: "response",
  });
  const key = randomUUID();
  const send = async () => (await channel.send(chatId, { text: "Hello" }, { key })).status;
  expect([await send(), await send()]).toEqual([500, 200]);
});

test("an error's milliseconds are its Retry-After", async () => {
  const channel = await testChannel();
  await lab(channel, "/faults", {
    operation: "createChat",
    fault: "error",
    code: "capacity_limited",
    milliseconds: 7_000,
  });
  expect((await channel.call<ErrorBody>("/chats", { body: {} })).body.error.retryAfterSeconds).toBe(7);
});

test("a fault can be limited to a chat, and cleared", async () => {
  const channel = await testChannel();
  const [one, other] = [await channel.createChat(), await channel.createChat()];
  const fault = { operation: "getChat", fault: "error", code: "service_unavailable", chatId: one };
  await lab(channel, "/faults", fault);
  expect((await channel.call(`/chats/${other}`)).status).toBe(200);
  expect((await channel.call(`/chats/${one}`)).status).toBe(503);
  await lab(channel, "/faults", fault);
  expect((await lab<{ item: { faults: object[] } }>(channel, "")).body.item.faults).toMatchObject([
    { operation: "getChat", chatId: one, remaining: 1 },
  ]);
  expect((await lab(channel, "/faults", undefined, "DELETE")).status).toBe(204);
  expect((await channel.call(`/chats/${one}`)).status).toBe(200);
});

// The contract tests cut streams after deltas.
test.each([
  ["before its start", {}, /^$/],
  ["before its end", { afterDeltas: 1000 }, /^start( delta){1,3}$/],
])("cuts a stream %s", async (_name, position, events) => {
  const { channel, chatId } = await testChat();
  await lab(channel, "/faults", { operation: "sendMessage", fault: "drop", ...position });
  const cut = await stream(channel, chatId);
  expect(cut.events.join(" ")).toMatch(events);
  expect(cut.isWhole).toBe(false);
});

test("a stalled stream continues after the given time", async () => {
  const { channel, chatId } = await testChat();
  await lab(channel, "/faults", {
    operation: "sendMessage",
    fault: "stall",
    milliseconds: 50,
    afterDeltas: 1,
  });
  const before = performance.now();
  const { events } = await stream(channel, chatId);
  expect(events.at(-1)).toBe("done");
  expect(performance.now() - before).toBeGreaterThanOrEqual(49);
});

test("drop breaks the connection before or after the operation, stall is silent", async () => {
  const { channel, post } = await served();
  const [key, other] = [randomUUID(), randomUUID()];
  const create = (under = key, init: RequestInit = {}) => post("/chats", {}, under, init);
  await lab(channel, "/faults", { operation: "createChat", fault: "drop" });
  await expect(create()).rejects.toThrowError(TypeError);
  expect((await create()).status).toBe(200);
  await lab(channel, "/faults", { operation: "createChat", fault: "drop", at: "request" });
  await expect(create(other)).rejects.toThrowError(TypeError);
  expect((await create(other)).status).toBe(201);
  await lab(channel, "/faults", { operation: "createChat", fault: "stall" });
  const silent = create(key, { signal: AbortSignal.timeout(200) });
  await expect(silent).rejects.toThrowError(expect.objectContaining({ name: "TimeoutError" }));
  expect((await create()).status).toBe(200);
});

test("drop breaks a stream's connection and prints nothing", async () => {
  const printed = vi.spyOn(console, "error");
  const { channel, post } = await served();
  await lab(channel, "/faults", { operation: "sendMessage", fault: "drop", afterDeltas: 1 });
  const response = await post(`/chats/${await channel.createChat()}/messages`, { text: "Hello" });
  expect(response.status).toBe(201);
  await expect(response.text()).rejects.toThrowError(TypeError);
  expect(printed).not.toHaveBeenCalled();
});

test("a reply that is continued before it begins does not pause", async () => {
  const { channel, chatId } = await testChat();
  await lab(channel, "/reply", { chatId, reply: { text: "At once", holdsAfter: 0 } });
  await lab(channel, "/reply/continue", { chatId });
  expect((await channel.send(chatId, { text: "Hello" })).body.item.reply?.text).toBe("At once");
});

test("removes scripted replies that no turn has taken", async () => {
  const { channel, chatId } = await testChat();
  await lab(channel, "/reply", { reply: { text: "Scripted" } });
  expect((await lab(channel, "/reply", undefined, "DELETE")).status).toBe(204);
  expect((await channel.send(chatId, { text: "Hello" })).body.item.reply?.text).toBe("Echo: Hello");
});

test("importing a named chat is idempotent until it is deleted", async () => {
  const channel = await testChannel();
  const bring = (text: string) =>
    channel.lab.importChat({
      id: "demo-named-chat",
      userId: "cust.maya-okafor",
      messages: [{ role: "agent", text, createdAt: null }],
    });
  const texts = async () => (await channel.messagesOf("demo-named-chat")).map(({ text }) => text);
  const first = await bring("First");
  expect(first.id).toBe("demo-named-chat");
  expect(await bring("Second")).toEqual(first);
  expect(await texts()).toEqual(["First"]);
  expect((await lab(channel, "/chats/demo-named-chat", undefined, "DELETE")).status).toBe(204);
  await bring("Third");
  expect(await texts()).toEqual(["Third"]);
});

test("an imported form belongs to the last message", async () => {
  const channel = await testChannel();
  const field = aField({ id: "size", label: "Size" });
  const { id } = await channel.lab.importChat({
    userId: "cust.maya-okafor",
    messages: [
      { role: "agent", text: "Hello", createdAt: null },
      { role: "agent", text: "Which size?", createdAt: null },
    ],
    collection: { fields: [], form: { purpose: "For your bike", fields: [{ field, required: true }] } },
  });
  const messages = await channel.messagesOf(id);
  const collection = await channel.collectionOf(id);
  expect(messages.map((message) => message.collection)).toEqual([null, collection]);
  expect(collection).toMatchObject({ request: { purpose: "For your bike" }, missing: ["size"] });
});

test.each([
  ["/clock", { advanceSeconds: -1 }, "/advanceSeconds"],
  ["/faults", { operation: "getChat", fault: "error" }, "/code"],
  ["/faults", { operation: "getChat", fault: "drop", afterDeltas: 1 }, "/afterDeltas"],
  ["/faults", { operation: "getChat", fault: "delay" }, "/milliseconds"],
  ["/limits", { keepAliveInterval: 0 }, "/keepAliveInterval"],
  ["/reply", { reply: { words: "x" } }, "/reply/words"],
  ["/channels", { seed: { chats: [{ userId: "a", mode: "teammate" }] } }, "/seed/chats/0/teammate"],
  ["/channels", { seed: { chats: [{ userId: "a", mode: "waiting" }] } }, "/seed/chats/0/handoff"],
])("%s with a wrong body is an invalid request (%#)", async (path, body, field) => {
  const channel = await testChannel();
  expect(await lab(channel, path, body)).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_request", field } },
  });
});

test("the lab's paths answer 404 if the lab is off", async () => {
  const channel = await testChannel({ lab: false });
  for (const path of ["", "/requests", "/chats"]) expect((await lab(channel, path)).status).toBe(404);
  expect((await lab(channel, "/clock", { advanceSeconds: 1 })).status).toBe(404);
});

test("a reset succeeds while chats are created", async () => {
  const channel = await testChannel();
  let isReset = false;
  const createChats = async () => {
    const statuses: number[] = [];
    while (!isReset) statuses.push((await channel.call("/chats", { body: {} })).status);
    return statuses;
  };
  const creating = Array.from({ length: 8 }, createChats);
  const resets = [];
  for (let n = 0; n < 5; n += 1) resets.push((await lab(channel, "/reset", undefined, "POST")).status);
  isReset = true;
  expect(new Set(resets)).toEqual(new Set([200]));
  expect(new Set((await Promise.all(creating)).flat())).toEqual(new Set([201]));
});

test("the lab and the team's API require the team key and refuse browsers; the lab other machines", async () => {
  const channel = await testChannel();
  const ask = async (path: string, headers: Record<string, string>) => {
    const request = new Request(`http://channel.test${path}`, { headers });
    return ((await (await channel.channel.fetch(request)).json()) as ErrorBody).error;
  };
  const authorization = `Bearer ${channel.teamKey}`;
  for (const path of ["/lab", "/team/chats"]) {
    expect((await ask(path, {})).code).toBe("invalid_api_key");
    const message = "The team and the lab need the team key (tk_…).";
    const refusal = { code: "invalid_api_key", message };
    expect(await ask(path, { authorization: `Bearer ${channel.chatKey}` })).toMatchObject(refusal);
    expect((await ask(path, { authorization, origin: "null" })).code).toBe("origin_not_allowed");
  }
  expect((await ask("/lab", { authorization, "x-forwarded-for": "203.0.113.7" })).code).toBe("not_found");
});

/** A channel that listens. `post` asks for a stream where the operation has one. */
async function served() {
  const channel = await testChannel();
  const server = await listen(channel.channel.fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close(0));
  const base = `http://127.0.0.1:${server.port}/v1/channels/${channel.channelKey}`;
  const post = (path: string, body: object, key: string = randomUUID(), init: RequestInit = {}) =>
    fetch(base + path, {
      ...init,
      method: "POST",
      headers: {
        authorization: `Bearer ${channel.chatKey}`,
        "content-type": "application/json",
        accept: "text/event-stream",
        "idempotency-key": key,
      },
      body: JSON.stringify(body),
    });
  return { channel, post };
}

async function lab<Body = unknown>(channel: TestChannel, path: string, body?: object, method?: string) {
  const response = await channel.asTeam(`/lab${path}`, body, method === undefined ? {} : { method });
  const text = await response.text();
  // Each test states what it expects of the body.
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Body };
}

/** Reads the stream's event names until it ends or breaks. */
async function stream(channel: TestChannel, chatId: string) {
  const response = await channel.stream(chatId);
  let text = "";
  let isWhole = true;
  try {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    isWhole = false;
  }
  const events = [...text.matchAll(/^event: (\w+)$/gm)].map((match) => match[1]);
  return { events, isWhole };
}

test.each(["forget", "clear"] as const)(
  "keeps no notice of a chat that is gone when it arrives (%s)",
  async (end) => {
    const memory = createLabMemory();
    const { promise, resolve } = Promise.withResolvers<void>();
    const notice: TeamNotice = { id: "1", kind: "k", chatId: "chat_1", payload: null, createdAt: new Date() };
    const delivery = memory.recordNotices(() => promise)(notice);
    memory[end]("chat_1");
    resolve();
    await delivery;
    expect(memory.notices()).toEqual([]);
  },
);

test("refuses `after` where nothing follows a message", async () => {
  const { channel, chatId } = await testChat();
  const waiting = await channel.asTeam(`/lab/wait?chatId=${chatId}&until=notice&after=start`);
  expect([waiting.status, await waiting.text()]).toEqual([400, expect.stringContaining("`turn_done` only")]);
});

test("names the fault that a request has met, and keeps the request whole", async () => {
  const { channel, chatId } = await testChat();
  await lab(channel, "/faults", { operation: "sendMessage", fault: "error", code: "internal_error" });
  await channel.send(chatId, { text: "Hello" });
  const { items } = (await (await channel.asTeam("/lab/requests")).json()) as { items: RecordedRequest[] };
  expect(items[0]).toMatchObject({ status: 500, fault: "error", request: { body: '{"text":"Hello"}' } });
});

test("an operation costs no more statements with the lab than without it", async () => {
  const statementsWith = async (mode: "here" | false) => {
    const channel = await testChannel({ lab: mode });
    const chatId = await channel.createChat();
    // What Drizzle sends every statement to.
    const { session } = channel.database.sql as unknown as { session: { client: { query(): unknown } } };
    const query = vi.spyOn(session.client, "query");
    await channel.createChat();
    await channel.getChat(chatId);
    await channel.messagesOf(chatId);
    return query.mock.calls.length;
  };
  expect(await statementsWith("here")).toBe(await statementsWith(false));
});
