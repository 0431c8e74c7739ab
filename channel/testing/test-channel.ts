/** A real channel for one test, without a port: it has its own channel key in the tests' database. */
import { randomUUID } from "node:crypto";
import pino from "pino";
import { onTestFinished } from "vitest";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Collection } from "#lib/chat-api/collection.ts";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import type { File as FileItem, HandoffOffer, MessagePage, MessageTurn } from "#lib/chat-api/message.ts";
import type { FormRequest } from "../agents/agent.ts";
import type { ChannelDeps } from "../channel.ts";
import { createChannels } from "../channels.ts";
import { Lab } from "../lab/lab-client.ts";
import { scriptedAgent } from "./scripted-agent.ts";
import { testDatabase } from "./test-database.ts";

export const testOrigin = "http://channel.test";
export const testTeamKey = "tk_test_key_0123456789";

export interface TestResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface TestCall {
  method?: string;
  body?: unknown;
  headers?: Record<string, string | undefined>;
  /** The idempotency key. A new one by default; null sends none. */
  key?: string | null;
}

export type TestChannel = Awaited<ReturnType<typeof testChannel>>;

export async function testChannel(options: Partial<ChannelDeps> = {}) {
  const database = options.database ?? (await testDatabase());
  const channelKey = options.channelKey ?? `dep_test_${randomUUID()}`;
  const chatKey = "ck_test_key_0123456789";
  const teamKey = testTeamKey;
  const agent = scriptedAgent();
  const log = pino({ level: "silent" });
  const channel = await createChannels({
    channelKey,
    chatKey,
    teamKey,
    lab: "here",
    agent,
    log,
    notifyTeam: () => Promise.resolve(),
    ...options,
    database,
  });

  /** Sends a request with a JSON body or a form. */
  function fetchAs(key: string, path: string, { method, body, headers = {} }: TestCall): Promise<Response> {
    const isJson = body !== undefined && !(body instanceof FormData);
    const sent = new Headers({ authorization: `Bearer ${key}` });
    if (isJson) sent.set("content-type", "application/json");
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined) sent.delete(name);
      else sent.set(name, value);
    }
    const init = { method: method ?? (body === undefined ? "GET" : "POST"), headers: sent };
    const bytes = isJson && typeof body !== "string" ? JSON.stringify(body) : (body as BodyInit);
    return channel.fetch(
      new Request(testOrigin + path, body === undefined ? init : { ...init, body: bytes }),
    );
  }

  /** Sends a request below the channel's address, with the chat key. */
  function request(path: string, { key = randomUUID(), ...call }: TestCall = {}): Promise<Response> {
    const isWrite = (call.method ?? (call.body === undefined ? "GET" : "POST")) === "POST";
    const headers = { ...(isWrite && key !== null && { "idempotency-key": key }), ...call.headers };
    return fetchAs(chatKey, `/v1/channels/${channelKey}${path}`, { ...call, headers });
  }

  /** Sends a request to the lab, the console or the team's API, with the team key. */
  const asTeam = (path: string, body?: object, call: Pick<TestCall, "method" | "headers"> = {}) =>
    fetchAs(teamKey, path, { ...call, body });

  async function call<Body = unknown>(path: string, options?: TestCall): Promise<TestResponse<Body>> {
    const response = await request(path, options);
    // The test states what it expects of the body.
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }

  return {
    channel,
    database,
    agent,
    channelKey,
    chatKey,
    teamKey,
    request,
    call,
    /** @returns the ID of a new chat */
    createChat: async (body: object = {}) => (await call<{ item: Chat }>("/chats", { body })).body.item.id,
    send: (chatId: string, body: object, options?: TestCall) =>
      call<{ item: MessageTurn } & ErrorBody>(`/chats/${chatId}/messages`, { ...options, body }),
    getChat: async (chatId: string) => (await call<{ item: Chat }>(`/chats/${chatId}`)).body.item,
    /** Sends a message and opens the stream of its reply. */
    stream: (chatId: string, key: string = randomUUID(), text = "Hello") =>
      request(`/chats/${chatId}/messages`, { body: { text }, key, headers: { accept: "text/event-stream" } }),
    /** Uploads a text file. */
    upload(chatId: string, text = "My rear wheel wobbles.", key: string = randomUUID()) {
      const body = new FormData();
      body.append("file", new File([text], "a.txt", { type: "text/plain" }));
      return call<{ item: FileItem } & ErrorBody>(`/chats/${chatId}/files`, { body, key });
    },
    /** Moves the channel's clock forward. */
    advance: (milliseconds: number) =>
      channel.settings.change({ clockOffsetMs: channel.settings.current().clockOffsetMs + milliseconds }),
    asTeam,
    lab: new Lab({ channelUrl: testOrigin, teamKey }, channel.fetch),
    messagesOf: async (chatId: string) =>
      (await call<MessagePage>(`/chats/${chatId}/messages?limit=50`)).body.items,
    collectionOf: async (chatId: string) =>
      (await call<{ item: Collection }>(`/chats/${chatId}/collection`)).body.item,
    /** Submits the form of a collection that was read before. */
    submit(chatId: string, read: Collection, changes: object, key: string = randomUUID()) {
      const { request, version: expectedVersion } = read;
      const body = { collectionRequestId: request?.id ?? null, expectedVersion, action: "save", ...changes };
      return call<{ item: Collection } & ErrorBody>(`/chats/${chatId}/collection`, { body, key });
    },
  };
}

/** Starts the same channel a second time, as another process would, until the end of the test. */
export async function startedAfter({ channelKey }: TestChannel): Promise<TestChannel> {
  const next = await testChannel({ channelKey, database: await testDatabase() });
  next.channel.start();
  onTestFinished(() => next.channel.stop(0));
  return next;
}

/** A channel with one chat. */
export async function testChat(): Promise<{ channel: TestChannel; chatId: string }> {
  const channel = await testChannel();
  return { channel, chatId: await channel.createChat() };
}

/** A chat in which the agent has offered a handoff, optionally with a form to complete first. */
export async function offeredChat(
  channel: TestChannel,
  chat: object = {},
  details?: FormRequest,
): Promise<{ chatId: string; offer: HandoffOffer }> {
  const chatId = await channel.createChat(chat);
  channel.agent.answer(() => [
    { type: "text", text: "Shall I ask the team?" },
    { type: "offer_handoff", ...(details === undefined ? {} : { details }) },
  ]);
  const { body } = await channel.send(chatId, { text: "Can I speak to someone?" });
  const offer = body.item.reply?.handoffOffer;
  if (offer === null || offer === undefined) throw new Error("The agent has made no offer.");
  return { chatId, offer };
}

/** A chat that waits for the team. */
export async function waitingChat(channel: TestChannel): Promise<{ chatId: string; confirmationId: string }> {
  const { chatId, offer } = await offeredChat(channel);
  const { confirmationId } = offer;
  const { status } = await channel.call(`/chats/${chatId}/handoff`, { body: { confirmationId } });
  if (status !== 201) throw new Error(`The handoff was answered ${status}.`);
  return { chatId, confirmationId };
}
