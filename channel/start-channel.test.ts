/** A channel in the test's own process: reset, waiting, recorded requests, further channels. */
import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { MessagePage, MessageTurn } from "#lib/chat-api/message.ts";
import { root } from "./root.ts";
import { type StartedChannel, startChannel } from "./start-channel.ts";

let channel: StartedChannel;

const seed = {
  chats: [
    {
      id: "chat_of_the_seed",
      userId: "customer-1",
      createdAt: "2026-01-05T10:00:00.000Z",
      messages: [{ role: "visitor" as const, text: "Hello", createdAt: "2026-01-05T10:00:00.000Z" }],
    },
  ],
};

beforeAll(async () => {
  channel = await startChannel({ seed });
}, 60_000);
beforeEach(() => channel.reset());
afterAll(() => channel.close());

type Keys = Pick<StartedChannel, "channelKey" | "chatKey">;

/** Sends a request to a channel of the process, without the network. */
async function call<T>(path: string, body?: object, keys: Keys = channel) {
  const headers = { authorization: `Bearer ${keys.chatKey}`, "idempotency-key": randomUUID() };
  const response = await channel.fetch(`${channel.url}/v1/channels/${keys.channelKey}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}

const newChat = async (keys?: Keys) => (await call<{ item: Chat }>("/chats", {}, keys)).body.item.id;
const say = <T>(chatId: string, text: string, keys?: Keys) =>
  call<T>(`/chats/${chatId}/messages`, { text }, keys);
const textsOf = async (chatId: string, keys?: Keys) => {
  const { body } = await call<MessagePage>(`/chats/${chatId}/messages`, undefined, keys);
  return body.items.map(({ text }) => text);
};

test("answers over its port and without it", async () => {
  const response = await fetch(`${channel.url}/healthz`);
  expect(response.status).toBe(200);
  expect((await channel.fetch(`${channel.url}/healthz`)).status).toBe(200);
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.runIf(hasPython)("answers every operation to a program in Python's standard library", async () => {
  const { stdout } = await promisify(execFile)("env", [
    `CHAT_BASE_URL=${channel.url}`,
    `CHAT_CHANNEL_KEY=${channel.channelKey}`,
    `CHAT_KEY=${channel.chatKey}`,
    "python3",
    join(root, "e2e", "nine-calls.py"),
  ]);
  expect(stdout).toBe("nine operations\n");
});

test("leads a browser from its address to the reference, which answers what precedes the first call", async () => {
  const home = await channel.fetch(channel.url, { headers: { accept: "text/html,*/*;q=0.8" } });
  expect([home.status, home.headers.get("location")]).toEqual([302, "/docs"]);
  const unknown = await channel.fetch(channel.url);
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: "not_found" } }]);
  const page = await (await channel.fetch(`${channel.url}/docs`)).text();
  for (const answer of [channel.url, "Idempotency-Key", "Authorization: Bearer", "confirmationId", "missing"])
    expect(page).toContain(answer);
});

test("returns to its start on reset, and ends running turns", async () => {
  const { lab } = channel;
  const chatId = await newChat();
  await lab.reply({ text: "Never said.", deltas: ["Never ", "said."], holdsAfter: 1 }, chatId);
  const running = say(chatId, "Hello");
  await lab.wait(chatId, "message");
  await lab.advance(3_600);
  await lab.addFault({ operation: "getChat", fault: "error", code: "internal_error" });
  await lab.rotateChatKey("ck_another");
  await lab.changeChannel({ published: false });

  await channel.reset();
  expect((await running).status).toBeGreaterThanOrEqual(400);
  expect((await call(`/chats/${chatId}`)).status).toBe(404);
  expect(await textsOf("chat_of_the_seed")).toEqual(["Hello"]);
  expect(Math.abs((await lab.now()).getTime() - Date.now())).toBeLessThan(60_000);
});

test("waits for a state of a chat, and says when it is not reached", async () => {
  const { lab } = channel;
  const chatId = await newChat();
  const waiting = lab.wait(chatId, "claimed");
  await lab.claim(chatId, "Ana");
  expect(await waiting).toMatchObject({ mode: "teammate", teammate: { name: "Ana" } });
  await expect(lab.wait(chatId, "resolved", { timeout: 0 })).rejects.toThrow(
    /408.*did not reach resolved within 0 s: its mode is teammate\./,
  );
  await expect(lab.wait("chat_that_is_not", "resolved")).rejects.toThrow(/404/);

  const { items } = (await call<MessagePage>(`/chats/${chatId}/messages`)).body;
  await lab.postMessage(chatId, "Hello, I am Ana.");
  const after = items.at(-1)?.id ?? "";
  expect((await lab.wait(chatId, "message", { after })).id).toBe(chatId);
});

test("shows the team's notice of a handoff, until the chat is erased", async () => {
  const { lab } = channel;
  const chatId = await newChat();
  const { body } = await say<{ item: MessageTurn }>(chatId, "offer");
  const confirmationId = body.item.reply?.handoffOffer?.confirmationId;
  await expect(lab.wait(chatId, "notice", { timeout: 0 })).rejects.toThrowError("408");
  await call(`/chats/${chatId}/handoff`, { confirmationId });
  expect((await lab.wait(chatId, "notice")).mode).toBe("waiting");
  expect(await lab.notices(chatId)).toMatchObject([{ kind: "handoff_requested", chatId }]);
  await lab.deleteChat(chatId);
  expect(await lab.notices(chatId)).toEqual([]);
});

test("waits for a turn that has not begun", async () => {
  const { lab } = channel;
  const chatId = await newChat();
  const waiting = lab.wait(chatId, "turn_done", { after: "start" });
  await lab.reply({ text: "One two", deltas: ["One ", "two"], holdsAfter: 1 }, chatId);
  const sending = say(chatId, "Count");
  await lab.wait(chatId, "message");
  await lab.continueReply(chatId);
  expect((await waiting).updatedAt).toBe((await lab.wait(chatId, "turn_done")).updatedAt);
  expect(await textsOf(chatId)).toEqual(["Count", "One two"]);
  await sending;
});

test("shows no key that a caller put where none belongs", async () => {
  const { lab } = channel;
  const chatId = await newChat();
  const key = "ck_misplaced_0123456789";
  await say(chatId, `My key is ${key}.`);
  const address = `${channel.url}/v1/channels/${channel.channelKey}/chats/${chatId}`;
  const headers = { authorization: `Bearer ${channel.chatKey}`, "x-api-key": key };
  await channel.fetch(`${address}?key=${key}`, { headers });
  await channel.fetch(`${address}/${key}`, { headers });
  const seen = JSON.stringify(await lab.requests());
  expect(seen).not.toContain("misplaced");
  expect(seen).toContain("My key is ck_…");
});

test("gives the key in a curl command to no host that a request named", async () => {
  const { lab } = channel;
  const chatId = await newChat();
  const path = `/v1/channels/${channel.channelKey}/chats/${chatId}`;
  const headers = { authorization: `Bearer ${channel.chatKey}` };
  for (const origin of ["http://rebound.example", "http://127.0.0.1.rebound.example"])
    await channel.fetch(`${origin}${path}`, { headers });
  for (const { curl } of await lab.requests({ chatId }))
    expect(curl).toContain(`curl -N -X GET "$CHAT_BASE_URL"'${path}'`);
});

test("shows requests and responses whole, without keys", async () => {
  const { lab } = channel;
  const chatId = await newChat();
  await say(chatId, "It's whole");
  await call(`/chats/${chatId}`, undefined, { ...channel, chatKey: "ck_wrong" });
  const [sent] = await lab.requests({ chatId, operation: "sendMessage" });
  expect(JSON.parse(sent?.request.body ?? "")).toEqual({ text: "It's whole" });
  expect(sent?.response.body).toContain("Echo: It's whole");
  expect(sent?.curl).toContain(`--data-raw '{"text":"It'\\''s whole"}'`);
  const [refused, ...others] = await lab.requests({ code: "invalid_api_key" });
  expect(others).toEqual([]);
  expect(refused?.request.headers["authorization"]).toBe("Bearer ck_…");
  expect(JSON.stringify(await lab.requests())).not.toContain(channel.chatKey);
  expect(await lab.requests({ chatId, status: 404 })).toEqual([]);
});

test("exports chats in the format that it imports", async () => {
  const { lab } = channel;
  const chatId = await newChat();
  await say(chatId, "form");
  await say(chatId, "citations");
  await lab.claim(chatId, "Ana");
  const exported = await lab.exportChats();
  await lab.reset();
  await lab.importChats(exported);
  expect(await lab.exportChats()).toEqual(exported);
  expect(exported.chats.find(({ id }) => id === chatId)).toMatchObject({
    teammate: "Ana",
    handoff: { status: "claimed" },
  });
});

test("gives a channel of its own keys, clock, faults, limits, scripts and chats", async () => {
  const [one, other] = [await channel.lab.createChannel(seed), await channel.lab.createChannel(seed)];
  onTestFinished(async () => {
    for (const own of [one, other]) await own[Symbol.asyncDispose]();
  });
  expect(one.chats).toHaveLength(1);
  await one.lab.advance(86_400);
  await one.lab.addFault({ operation: "getChat", fault: "error", code: "internal_error" });
  await one.lab.changeLimits({ chatsPerChannel: 1 });
  await one.lab.reply({ text: "Only here" });

  expect((await call("/chats", {}, one)).status).toBe(429);
  const chatId = await newChat(other);
  expect((await call(`/chats/${chatId}`, undefined, other)).status).toBe(200);
  await say(chatId, "Hello", other);
  expect(await textsOf(chatId, other)).toEqual(["Hello", "Echo: Hello"]);
  expect((await other.lab.now()).getTime()).toBeLessThan((await one.lab.now()).getTime() - 80_000_000);
  expect((await other.lab.exportChats()).chats).toHaveLength(2);
  expect((await channel.lab.exportChats()).chats).toHaveLength(1);
  // Neither the other channel's key nor its lab reaches this one.
  const foreign = { channelKey: one.channelKey, chatKey: other.chatKey };
  expect((await call("/chats", {}, foreign)).status).toBe(401);
  await expect(other.lab.dropChannel(one.channelKey)).rejects.toThrow(/404/);
});

test("drops a channel whole", async () => {
  const own = await channel.lab.createChannel();
  const chatId = await newChat(own);
  await own.lab.reply({ text: "Never said.", deltas: ["Never ", "said."], holdsAfter: 0 }, chatId);
  const running = say(chatId, "Hello", own);
  await own.lab.wait(chatId, "message");
  await own.drop();
  expect((await running).status).toBeGreaterThanOrEqual(400);
  expect((await call(`/chats/${chatId}`, undefined, own)).status).toBe(401);
  await expect(own.lab.now()).rejects.toThrow(/401/);
  expect(await channel.lab.channels()).toEqual([]);
});
