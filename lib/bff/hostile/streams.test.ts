/**
 * Truncated and malformed turn streams of the Chat API, and browsers that do not read them. The client's
 * tests cover the format itself.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ChatApiErrorCode, responseOf } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import { operationContracts } from "../../chat-api/operation-contracts.ts";
import { encodeTurnEvent, keepAliveComment, type TurnEvent } from "../../chat-api/turn-events.ts";
import { defaultTimeouts } from "../../chat-client/options.ts";
import { aStart, eventsOf, textOf } from "../../chat-client/testing/streams.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { ChatEvent } from "../observability/observe.ts";
import type { Customer } from "../session/customer.ts";
import {
  anotherOwner,
  hostilePeer,
  maya,
  newGuest,
  ownerOfChat,
  signedIn,
} from "../testing/hostile-set-up.ts";
import { aChat, aMessage, errorBody, json, ownChat } from "../testing/hostile-upstream.ts";
import { freshKey, startTestBff, type TestBff, type TestBrowser, testOrigin } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
let t: TestBff;
let browser: TestBrowser;
beforeEach(async () => {
  t = startTestBff(environment);
  browser = await ownerOfChat(t, upstream);
});
afterEach(async () => {
  vi.useRealTimers();
});

const path = "/api/chat/chats/chat_0001/messages";
const start = aStart({ messageId: "msg_1", replyId: "msg_2" });
const delta = (text: string): TurnEvent => ({ type: "delta", text });
const doneWith = (text: string): TurnEvent => ({
  type: "done",
  item: {
    message: aMessage({ id: "msg_1" }),
    reply: aMessage({ id: "msg_2", role: "agent", text }),
    chat: aChat(maya),
  } as Extract<TurnEvent, { type: "done" }>["item"],
});
const wire = (...events: TurnEvent[]) => events.map(encodeTurnEvent).join("");

type Responder = (response: ServerResponse) => void;

function streamHead(response: ServerResponse, status = 201): void {
  response.writeHead(status, { "content-type": "text/event-stream", "x-request-id": "up_1" });
  response.flushHeaders();
}

/** Sends these bytes or events and ends. */
function ending(bytes: string | TurnEvent[], status?: number): Responder {
  return (response) => {
    streamHead(response, status);
    response.end(typeof bytes === "string" ? bytes : wire(...bytes));
  };
}

/** Sends these events and stays open. `responses` collects the open streams. */
function opening(events: TurnEvent[], responses: ServerResponse[] = []): Responder {
  return (response) => {
    streamHead(response);
    response.write(wire(...events));
    responses.push(response);
  };
}

/** Answers messages with `respond`. Resolves when the BFF has closed a connection. */
function untilClosed(respond: Responder) {
  const closed = Promise.withResolvers<void>();
  onSend((response) => {
    respond(response);
    response.on("close", () => closed.resolve());
  });
  return closed.promise;
}

/** Answers each request to send a message with the next of these, all later ones with the last. */
function onSend(...responses: Responder[]): void {
  let request = 0;
  upstream.on("POST /chats/chat_0001/messages", (_, response) => {
    const arranged = responses[Math.min(request, responses.length - 1)];
    request += 1;
    arranged?.(response);
  });
}

const sends = () => upstream.seen.filter(({ method }) => method === "POST");

interface SendOptions {
  signal?: AbortSignal;
  accept?: string;
  key?: string;
  address?: string;
}

function send(init: SendOptions = {}): Promise<Response> {
  return browser.send(path, {
    method: "POST",
    body: '{"text":"hi"}',
    headers: {
      "content-type": "application/json",
      "idempotency-key": init.key ?? freshKey(),
      accept: init.accept ?? "text/event-stream",
      ...(init.address === undefined ? {} : { "x-forwarded-for": init.address }),
    },
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
}

async function readTurn(response: Response | Promise<Response>): Promise<TurnEvent[]> {
  return eventsOf(await (await response).text());
}

const types = (events: TurnEvent[]) => events.map(({ type }) => type).join(" ");

test("sends the stream with our request ID and headers", async () => {
  onSend(ending([start, doneWith("")]));
  const response = await send();
  expect(response.status).toBe(201);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  const [first] = await readTurn(response);
  expect(first).toMatchObject({ requestId: response.headers.get("x-request-id") });
});

/** A `done` event with one part from another chat. */
function foreignDone(part: "message" | "reply" | "chat"): string {
  const { item } = doneWith("x") as Extract<TurnEvent, { type: "done" }>;
  const foreign = part === "chat" ? { id: "chat_foreign" } : { chatId: "chat_foreign" };
  return wire(start, { type: "done", item: { ...item, [part]: { ...item[part], ...foreign } } });
}

test("never forwards events that breach the contract or belong to another chat", async () => {
  const wrong: Record<string, string> = {
    "done before start": wire(doneWith("x")),
    "another chat's start": wire({ ...start, chatId: "chat_foreign" }),
    ...Object.fromEntries(
      (["message", "reply", "chat"] as const).map((part) => [
        `another chat's ${part} in done`,
        foreignDone(part),
      ]),
    ),
  };
  for (const [what, bytes] of Object.entries(wrong)) {
    onSend(ending(bytes));
    const response = await send();
    const text = await response.text();
    expect(text, what).not.toContain("event: done");
    if (response.status === 201) expect(eventsOf(text).at(-1)?.type, what).toBe("error");
    else expect(JSON.parse(text).error.code, what).toBe("operation_interrupted");
  }
});

test("has a message looked up whose response breaches the contract, and sends it once", async () => {
  let sent = 0;
  for (const item of [{}, { message: null, reply: null, chat: null }]) {
    onSend((response) => {
      sent += 1;
      json(response, 201, { item });
    });
    const response = await send();
    expect([response.status, (await response.json()).error.code]).toEqual([409, "operation_interrupted"]);
  }
  expect(sent).toBe(2);
});

test("tells of a stream's start and of its end with the outcome", async () => {
  const events: ChatEvent[] = [];
  const observed = startTestBff(environment, { observe: (event) => void events.push(event) });
  browser = await ownerOfChat(observed, upstream);
  onSend(ending([start, delta("An answer"), doneWith("An answer")]));
  await readTurn(send());
  expect(events.filter(({ type }) => type.startsWith("stream"))).toMatchObject([
    { type: "stream_started" },
    { type: "stream_ended", outcome: "done" },
  ]);
});

test("forwards a second start when the agent begins again after a broken stream", async () => {
  onSend(
    (response) => {
      streamHead(response);
      response.write(wire(start, delta("The first ans")));
      setImmediate(() => response.destroy());
    },
    ending([start, delta("Another answer"), doneWith("Another answer")], 200),
  );
  const events = await readTurn(send());
  expect(types(events)).toBe("start delta start delta done");
  expect(textOf(events)).toBe("Another answer");
  await expect
    .poll(() => t.lines.find(({ route }) => route === "sendMessage"))
    .toMatchObject({ upstreamRequests: 2 });
  // Both `start` events have the ID of the browser's request.
  expect(new Set(events.flatMap((event) => (event.type === "start" ? event.requestId : []))).size).toBe(1);
});

test("resumes a stream after three missed keep-alive comments as one reply", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const silent = Promise.withResolvers<void>();
  onSend(
    (response) => {
      streamHead(response);
      response.write(wire(start, delta("part ")));
      response.on("close", () => silent.resolve());
    },
    ending([start, delta("part two"), doneWith("part two")], 200),
  );
  const key = freshKey();
  const response = await send({ key });
  const events = readTurn(response);
  await vi.advanceTimersByTimeAsync(defaultTimeouts.idle - 1);
  expect(sends()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  // The BFF has closed the dead connection.
  await silent.promise;
  expect(types(await events)).toBe("start delta delta done");
  expect(textOf(await events)).toBe("part two");
  const keys = sends().map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

const sendCodes = operationContracts.sendMessage.errors.filter((code) => responseOf(code).relay === "pass");

test.each([...sendCodes, "internal_error", "rate_limited"] satisfies ChatApiErrorCode[])(
  "translates an error event with %s",
  async (code) => {
    const error = errorBody(code, { retryAfterSeconds: 30 });
    onSend(ending([start, delta("part"), { type: "error", ...error }]));
    const response = await send();
    expect(response.status).toBe(201);
    const events = await readTurn(response);
    const requestId = response.headers.get("x-request-id");
    expect(events.at(-1)).toMatchObject({ error: { code, message: responseOf(code).sentence, requestId } });
  },
);

test("reports an operator error inside a stream to the operator only", async () => {
  onSend(ending([start, { type: "error", ...errorBody("workspace_suspended") }]));
  const text = await (await send()).text();
  expect(text).not.toContain("suspended");
  expect(eventsOf(text).at(-1)).toMatchObject({ error: { code: "chat_unavailable" } });
});

test("answers an error before the first event with its own status", async () => {
  onSend((response) => json(response, 409, errorBody("turn_in_progress")));
  const response = await send();
  expect(response.status).toBe(409);
  expect((await response.json()).error.code).toBe("turn_in_progress");
  onSend(ending([{ type: "error", ...errorBody("chat_closed") }]));
  expect((await send()).status).toBeGreaterThanOrEqual(400);
});

test("answers JSON or 406 according to Accept", async () => {
  onSend((response) =>
    json(response, 201, { item: { message: aMessage(), reply: null, chat: aChat(maya) } }),
  );
  const response = await send({ accept: "text/event-stream;q=0, */*" });
  expect(response.headers.get("content-type")).toContain("application/json");
  upstream.seen.length = 0;
  // The Chat API would answer this header with a stream.
  const refusal = await send({ accept: "text/*" });
  expect(refusal.status).toBe(406);
  expect((await refusal.json()).error.code).toBe("unsupported_accept");
  expect(sends()).toEqual([]);
});

test("closes both connections of a stream that the browser does not read", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const closed = untilClosed(opening([start, delta("part")]));
  const response = await send();
  expect(t.bff.streams.size()).toBe(1);
  await vi.advanceTimersByTimeAsync(bffLimits.readerStallTime);
  await closed;
  expect(t.bff.streams.size()).toBe(0);
  await expect(response.text()).rejects.toThrow();
  expect(t.lines.find(({ route }) => route === "sendMessage")).toMatchObject({ outcome: "stalled" });
});

test("limits concurrent streams to three per session and to the configured total", async () => {
  t = startTestBff({ ...environment, MAX_STREAMS: "50" });
  browser = await signedIn(t);
  onSend(opening([start]));
  const { streamsPerSession } = bffLimits;
  const sendTimes = (count: number) => Promise.all(Array.from({ length: count }, () => send()));
  const responses = await sendTimes(200);
  const opened = () => responses.filter(({ status }) => status === 201);
  expect(opened()).toHaveLength(streamsPerSession);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 429]));

  // Other sessions get the remaining slots.
  for (let session = 0; session < 50 / streamsPerSession; session += 1) {
    browser = await anotherOwner(t);
    responses.push(...(await sendTimes(streamsPerSession)));
  }
  expect(opened()).toHaveLength(50);
  expect(t.bff.streams.size()).toBe(50);
  expect(responses.at(-1)?.status).toBe(429);
  await Promise.all(opened().map(({ body }) => body?.cancel()));
  expect(t.bff.streams.size()).toBe(0);
});

test("answers 429 when no slot is free, and frees a slot when its stream ends", async () => {
  const waiting: ServerResponse[] = [];
  onSend(opening([start], waiting));
  const open = await Promise.all([send(), send(), send()]);
  const fourth = await send();
  expect(fourth.status).toBe(429);
  expect((await fourth.json()).error).toMatchObject({ code: "rate_limited", retryAfterSeconds: 2 });
  expect(waiting).toHaveLength(bffLimits.streamsPerSession);

  await open[0]?.body?.cancel();
  const again = await send();
  expect(again.status).toBe(201);
  for (const response of waiting) response.end(wire(doneWith("")));
  await Promise.all([open[1], open[2], again].map((response) => response?.text()));
  expect(t.bff.streams.size()).toBe(0);
});

test("answers an error that the Chat API sends late with its own status", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const arrived = Promise.withResolvers<ServerResponse>();
  onSend(arrived.resolve);
  const response = send();
  const late = await arrived.promise;
  vi.advanceTimersByTime(limits.keepAliveInterval);
  json(late, 409, errorBody("turn_in_progress"));
  expect((await response).status).toBe(409);
});

test("sends comments while the Chat API has accepted a message but not begun its reply", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const open: ServerResponse[] = [];
  onSend(opening([], open));
  const sending = send();
  let begun: Response | undefined;
  void sending.then((response) => {
    begun = response;
  });
  // By less than an interval, so that the first comment is the one that begins the response.
  await expect
    .poll(() => {
      vi.advanceTimersByTime(1_000);
      return begun;
    })
    .toBeDefined();
  // The head is sent with the first bytes, so the first comment must not wait for the next interval.
  open[0]?.end(wire(start, delta("late"), doneWith("late")));
  const text = await (await sending).text();
  expect(text.startsWith(keepAliveComment)).toBe(true);
  expect(types(eventsOf(text))).toBe("start delta done");
  expect(sends()).toHaveLength(1);
});

test("sends the message of a browser that leaves before the acknowledgement", async () => {
  const leaving = new AbortController();
  const arrived = Promise.withResolvers<ServerResponse>();
  const closed = untilClosed(arrived.resolve);
  const abandoned = send({ signal: leaving.signal });
  const response = await arrived.promise;
  leaving.abort();
  streamHead(response);
  response.write(wire(start));
  await abandoned;
  await closed;
  expect(t.lines.find(({ route }) => route === "sendMessage")).toMatchObject({
    status: 499,
    outcome: "left",
    upstreamStatus: 201,
  });
});

test("frees a session's slot when its browser leaves before the acknowledgement", async () => {
  const leaving = new AbortController();
  const waiting: ServerResponse[] = [];
  onSend((response) => void waiting.push(response));
  const { streamsPerSession } = bffLimits;
  const abandoned = Array.from({ length: streamsPerSession }, () => send({ signal: leaving.signal }));
  await expect.poll(() => waiting).toHaveLength(streamsPerSession);
  expect((await send()).status).toBe(429);
  leaving.abort();
  onSend(ending([start, doneWith("")]));
  expect((await send()).status).toBe(201);
  // The process still counts streams whose requests to the Chat API are open.
  expect(t.bff.streams.size()).toBeGreaterThanOrEqual(streamsPerSession);
  for (const response of waiting) response.destroy();
  await Promise.all(abandoned);
});

test("takes no slot of a session for the message of a browser that has already left", async () => {
  const waiting: ServerResponse[] = [];
  onSend((response) => void waiting.push(response));
  const { streamsPerSession } = bffLimits;
  const abandoned = Array.from({ length: streamsPerSession }, () => send({ signal: AbortSignal.abort() }));
  await expect.poll(() => waiting).toHaveLength(streamsPerSession);
  onSend(ending([start, doneWith("")]));
  expect((await send()).status).toBe(201);
  for (const response of waiting) response.destroy();
  await Promise.all(abandoned);
});

test("frees the slot of a browser that leaves, even if nobody cancels the body", async () => {
  const closed = untilClosed(opening([start]));
  const leaving = new AbortController();
  const response = await send({ signal: leaving.signal });
  expect(t.bff.streams.size()).toBe(1);
  leaving.abort();
  expect(t.bff.streams.size()).toBe(0);
  await closed;
  expect(t.lines.find(({ route }) => route === "sendMessage")).toMatchObject({ outcome: "left" });
  expect(await response.text()).toBe("");
});

test("stops waiting for an acknowledgement at its deadline", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const leaving = new AbortController();
  const arrived = Promise.withResolvers<ServerResponse>();
  const closed = untilClosed(arrived.resolve);
  const response = send({ signal: leaving.signal });
  await arrived.promise;
  leaving.abort();
  await vi.advanceTimersByTimeAsync(bffLimits.detachTime);
  await closed;
  expect((await response).status).toBe(502);
});

/** A stream that sends its next event when the test says so. */
function slowStream(): (...events: TurnEvent[]) => void {
  const responses: ServerResponse[] = [];
  onSend(opening([start, delta("so far")], responses));
  return (...events) => {
    for (const response of responses) response.write(wire(...events));
  };
}

test("ends a former customer's open streams at an event within a second in every tab", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const next = slowStream();
  const token = String(browser.hostCookie).slice("host=".length);
  const kenji = { id: "kenji-mori", name: "Kenji" };
  for (const change of [() => t.signedIn.delete(token), () => t.signedIn.set(token, kenji)]) {
    t.signedIn.set(token, { id: "maya-okafor", name: "Maya" });
    const streams = await Promise.all([send(), send()]);
    change();
    vi.advanceTimersByTime(bffLimits.callerCheckInterval);
    next(delta(" a secret"), doneWith("so far a secret"));
    for (const stream of streams) {
      const text = await stream.text();
      expect(text).not.toContain("secret");
      expect(eventsOf(text).at(-1)).toMatchObject({ type: "error", error: { code: "session_required" } });
    }
    await expect.poll(() => t.bff.streams.size()).toBe(0);
  }
});

test("asks customerOf at most once a second for all writes of a stream, after the time that it names", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  let [calls, now] = [0, Date.now()];
  t = startTestBff(environment, {
    clock: () => now,
    async customerOf() {
      calls += 1;
      return { id: "maya-okafor", name: "Maya", until: now + 60_000 };
    },
  });
  browser = t.browser();
  browser.hostCookie = "host=maya";
  const next = slowStream();
  const reader = (await send()).body?.getReader();
  const readDelta = async () => {
    next(delta("x"));
    await reader?.read();
  };
  await reader?.read();
  // The request itself counts as the first time.
  const before = calls;
  expect(before).toBe(1);
  for (let count = 0; count < 20; count += 1) await readDelta();
  expect(calls).toBe(before);
  vi.advanceTimersByTime(bffLimits.callerCheckInterval);
  for (let count = 0; count < 20; count += 1) await readDelta();
  expect(calls).toBe(before);
  now += 60_000;
  vi.advanceTimersByTime(bffLimits.callerCheckInterval);
  for (let count = 0; count < 20; count += 1) await readDelta();
  expect(calls).toBe(before + 1);
});

test("asks customerOf at most once a second for all streams of a browser", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const next = slowStream();
  const asked = vi.spyOn(t.signedIn, "get");
  const readers = (await Promise.all([send(), send()])).map(({ body }) => body?.getReader());
  const readAll = () => Promise.all(readers.map((reader) => reader?.read()));
  await readAll();
  expect(asked).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(bffLimits.callerCheckInterval);
  await browser.get(path);
  next(delta("x"));
  await readAll();
  expect(asked).toHaveBeenCalledTimes(3);
});

test("calls customerOf in the request's async context and ends a stream when it fails", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const requests = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const fails = { now: false };
  t = startTestBff(environment, {
    customerOf() {
      seen.push(requests.getStore());
      if (fails.now) throw new Error("the host's database is unavailable");
      return { id: "maya-okafor", name: "Maya" };
    },
  });
  browser = t.browser();
  const next = slowStream();
  const stream = await requests.run("this one", () => send());
  const reader = stream.body?.getReader();
  await reader?.read();
  expect(new Set(seen)).toEqual(new Set(["this one"]));
  fails.now = true;
  vi.advanceTimersByTime(bffLimits.callerCheckInterval);
  next(delta(" more"));
  const { value } = (await reader?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toContain('"code":"service_unavailable"');
  expect(
    t.lines.some(({ event, msg }) => event === "unexpected_error" && String(msg).includes("customerOf")),
  ).toBe(true);
});

test("awaits a thenable that customerOf returns instead of a Promise", async () => {
  const requests = new AsyncLocalStorage<string>();
  const seen = new Set<string | undefined>();
  // The query starts when it is awaited, like those of database libraries.
  const query: PromiseLike<Customer> = {
    // biome-ignore lint/suspicious/noThenProperty: this object is a thenable on purpose
    then(...listeners) {
      seen.add(requests.getStore());
      return Promise.resolve({ id: "maya-okafor", name: "Maya" }).then(...listeners);
    },
  };
  t = startTestBff(environment, { customerOf: () => query as Promise<Customer> });
  browser = t.browser();
  const next = slowStream();
  const stream = await requests.run("this one", () => send());
  next(doneWith("so far"));
  expect((await readTurn(stream)).at(-1)?.type).toBe("done");
  expect(seen).toEqual(new Set(["this one"]));
});

test("ends a guest's open streams when the guest signs in", async () => {
  const guest = await newGuest(t);
  const session = await t.bff.guests.read(new Request(testOrigin, { headers: { cookie: guest.cookies() } }));
  ownChat(upstream, String(session?.userId));
  t.bff.ownership.forget("chat_0001");
  browser = guest;
  slowStream();
  const stream = await send();
  guest.signIn({ id: "maya-okafor", name: "Maya" });
  expect((await guest.start()).status).toBe(200);
  expect((await readTurn(stream)).at(-1)).toMatchObject({ error: { code: "session_required" } });
});

test("ends a health check's stream by itself, without a session or a call upstream", async () => {
  const before = upstream.seen.length;
  const response = await t.browser().get("/api/chat/health/stream");
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(await response.text()).toBe(": first\n\n: second\n\n");
  expect(upstream.seen).toHaveLength(before);
});

test("refuses requests while stopping, lets streams finish and ends the rest in time", async () => {
  const finishing = startTestBff(environment);
  const other = await signedIn(finishing);
  const responses: ServerResponse[] = [];
  onSend(opening([start], responses));
  const post = () => other.post(path, { text: "hi" }, { accept: "text/event-stream" });
  const [first, second] = [await post(), await post()];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stopped = finishing.stop();
  const refusal = await post();
  expect(refusal.status).toBe(503);
  expect(refusal.headers.get("retry-after")).toBe("2");
  expect((await refusal.json()).error.code).toBe("service_unavailable");
  responses[0]?.end(wire(doneWith("finished")));
  expect((await readTurn(first)).at(-1)).toMatchObject({ item: { reply: { text: "finished" } } });
  await vi.advanceTimersByTimeAsync(bffLimits.drainTime);
  const error = { code: "service_unavailable", retryAfterSeconds: 2 };
  expect((await readTurn(second)).at(-1)).toMatchObject({ error });
  await stopped;
});
