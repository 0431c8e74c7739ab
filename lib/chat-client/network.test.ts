/** Tests the client on real sockets, for failures that only a network can cause. */
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { cases } from "../../testing/unit/cases.ts";
import { operationPath } from "../chat-api/operations.ts";
import { aChat, chatId, idempotencyKey } from "../chat-api/testing/builders.ts";
import { type ChatClientOptions, createChatClient } from "./client.ts";
import { type RawPeer, rawResponse, startRawPeer } from "./testing/raw-peer.ts";
import { aStream, collect, encodeStream, textOf } from "./testing/streams.ts";

const key = { idempotencyKey };
const chatJson = JSON.stringify({ item: aChat() });
const parts = ["We deliver ", "to Ireland 🇮🇪 ", "within three days"];
const recorded = encodeStream(aStream(parts));
const secret = "ck_canary_0123456789";

let peer: RawPeer | undefined;
afterEach(async () => {
  await peer?.close();
  peer = undefined;
});

async function serve(
  response: (socket: Socket, request: string, number: number) => void,
  overrides: Partial<ChatClientOptions> = {},
) {
  const started = await startRawPeer(response);
  peer = started;
  return { client: clientOf(started.origin, overrides), peer: started };
}

function clientOf(origin: string, overrides: Partial<ChatClientOptions> = {}) {
  return createChatClient({
    url: (operation, ids) => `${origin}/v1/channels/dep_demo_shop${operationPath(operation, ids)}`,
    headers: () => ({ authorization: `Bearer ${secret}` }),
    sleep: async () => undefined,
    ...overrides,
  });
}

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The parts of an error that a log could print. */
function printed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error, Object.getOwnPropertyNames(error))} ${printed(error.cause)}`;
}

function streamHead(status = "201 Created"): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: text/event-stream\r\nx-request-id: req_1\r\ntransfer-encoding: chunked\r\n\r\n`;
}

function chunk(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

/** A whole stream with chunked transfer encoding. */
function sendStream(socket: Socket): void {
  socket.write(streamHead("200 OK"));
  socket.write(chunk(recorded));
  socket.write("0\r\n\r\n");
}

const keysOf = (requests: readonly string[]) =>
  requests.map((request) => /^idempotency-key: (.*)$/im.exec(request)?.[1]);

test.each([
  ["reset before a response", (socket: Socket) => void socket.resetAndDestroy()],
  ["closed before a response", (socket: Socket) => void socket.end()],
  [
    "reset in the head",
    (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-", () => socket.resetAndDestroy()),
  ],
  [
    "reset in the body",
    (socket: Socket) =>
      void socket.write(rawResponse(chatJson).subarray(0, -9), () => socket.resetAndDestroy()),
  ],
  ["closed in the body", (socket: Socket) => void socket.end(rawResponse(chatJson).subarray(0, -9))],
  ["answered without HTTP", (socket: Socket) => void socket.end("SSH-2.0-OpenSSH\r\n")],
])("repeats a write with its key and body after its connection was %s", async (_, fail) => {
  const requests: string[] = [];
  const { client } = await serve((socket, request, number) => {
    requests.push(request);
    if (number <= 2) fail(socket);
    else socket.end(rawResponse(chatJson));
  });
  expect((await client.createChat({ locale: "de" }, key)).item).toEqual(aChat());
  expect(keysOf(requests)).toEqual([idempotencyKey, idempotencyKey, idempotencyKey]);
  expect(new Set(requests.map((request) => request.split("\r\n\r\n")[1]))).toEqual(
    new Set(['{"locale":"de"}']),
  );
});

test("reports a dead peer as unreachable, without the key in the error", async () => {
  const { client, peer: gone } = await serve(() => undefined);
  await gone.close();
  peer = undefined;
  const error = await failureOf(client.createChat({}, key));
  expect(error).toMatchObject({
    name: "ChatConnectionError",
    kind: "unreachable",
    systemCode: "ECONNREFUSED",
  });
  expect(printed(error)).not.toMatch(/canary|key-0000/);
});

test("reports unknown hosts and invalid addresses as unreachable", async () => {
  const unknown = await failureOf(clientOf("http://chat.invalid").getChat(chatId));
  expect(unknown).toMatchObject({ kind: "unreachable" });
  const relative = await failureOf(clientOf("").getChat(chatId));
  expect(relative).toMatchObject({ kind: "unreachable" });
  expect(printed(unknown) + printed(relative)).not.toContain("canary");
});

const refusal = JSON.stringify({
  error: { code: "turn_in_progress", message: "Another turn is running.", requestId: "req_1" },
});

/** Three ways to delimit a body; an early close truncates each of them. */
const framings = {
  "by its length": (cutAt: number) => {
    const whole = rawResponse(refusal, { status: "409 Conflict" });
    return whole.subarray(0, whole.length - refusal.length + cutAt);
  },
  "in chunks": (cutAt: number) =>
    Buffer.concat([
      Buffer.from(
        "HTTP/1.1 409 Conflict\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
      ),
      Buffer.from(`${refusal.length.toString(16)}\r\n${refusal.slice(0, cutAt)}`),
    ]),
  "until the connection closes": (cutAt: number) =>
    Buffer.from(`HTTP/1.1 409 Conflict\r\ncontent-type: application/json\r\n\r\n${refusal.slice(0, cutAt)}`),
};

test.each(Object.entries(framings))(
  "treats a truncated error sent %s as a lost connection, whatever its status",
  async (_, cut) => {
    const requests: string[] = [];
    const cuts = cases(refusal.length);
    const cutAt = (number: number) => Math.floor((number * refusal.length) / cuts);
    const { client } = await serve((socket, request) => {
      const number = Math.floor(requests.length / 2);
      const isCut = requests.length % 2 === 0;
      requests.push(request);
      socket.end(isCut ? cut(cutAt(number)) : rawResponse(refusal, { status: "409 Conflict" }));
    });
    for (let number = 0; number < cuts; number += 1) {
      const failure = await failureOf(client.sendMessage(chatId, { text: "x" }, key));
      expect(failure, `cut at ${cutAt(number)}`).toMatchObject({
        code: "turn_in_progress",
        unspecified: false,
      });
    }
    expect(requests).toHaveLength(2 * cuts);
    expect(new Set(keysOf(requests))).toEqual(new Set([idempotencyKey]));
  },
);

test("reports a lost connection when a stream's error response is always truncated", async () => {
  const { client } = await serve((socket) => socket.end(framings["by its length"](20)));
  expect(await failureOf(collect(client.streamMessage(chatId, { text: "x" }, key)))).toMatchObject({
    name: "ChatConnectionError",
    kind: "cut",
  });
});

test("survives excess bytes and a wrong content encoding", async () => {
  const { client } = await serve((socket, _, number) => {
    if (number === 1) socket.end(rawResponse(`${chatJson}garbage`, { length: chatJson.length }));
    else if (number === 2) socket.end(rawResponse(chatJson, { headers: { "content-encoding": "gzip" } }));
    else socket.end(rawResponse(gzipSync(chatJson), { headers: { "content-encoding": "gzip" } }));
  });
  expect(await client.getChat(chatId)).toEqual(aChat());
  expect(await client.getChat(chatId)).toEqual(aChat());
});

test("stops an endless response and closes its socket", async () => {
  let closed = false;
  const { client } = await serve((socket) => {
    socket.on("close", () => {
      closed = true;
    });
    socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n");
    const piece = Buffer.alloc(65_536, " ");
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on("drain", pour);
    pour();
  });
  expect(await failureOf(client.getChat(chatId))).toMatchObject({ kind: "too_large" });
  await expect.poll(() => closed).toBe(true);
});

test("resumes a stream that is reset, closed, ended early or malformed", async () => {
  const lose = [
    (socket: Socket) => socket.resetAndDestroy(),
    (socket: Socket) => socket.end(),
    (socket: Socket) => socket.end("0\r\n\r\n"),
    (socket: Socket) => socket.end("zz\r\nnot a chunk"),
  ];
  const requests: string[] = [];
  const { client } = await serve((socket, request, number) => {
    requests.push(request);
    const end = lose[number - 1];
    if (end === undefined) sendStream(socket);
    else
      socket.write(
        Buffer.concat([Buffer.from(streamHead()), chunk(recorded.subarray(0, 150 + number * 40))]),
        () => end(socket),
      );
  });
  const events = await collect(client.streamMessage(chatId, { text: "x" }, key));
  expect(textOf(events)).toBe(parts.join(""));
  expect(events.filter(({ type }) => type === "start")).toHaveLength(1);
  expect(keysOf(requests)).toEqual(Array.from({ length: 5 }, () => idempotencyKey));
  expect(requests.join("")).not.toMatch(/last-event-id|origin:/i);
});

test("reuses the socket of a stream or response that ended normally", async () => {
  let lost = 0;
  let ends = 0;
  const { client } = await serve((socket, request, number) => {
    socket.once("close", () => {
      lost += 1;
    });
    if (!request.includes("/messages")) {
      socket.write(rawResponse(chatJson));
      return;
    }
    socket.write(Buffer.concat([Buffer.from(streamHead()), chunk(recorded)]));
    // The end of the response arrives separately from the turn's last event, as from a real server.
    setTimeout(() => {
      ends += 1;
      socket.write("0\r\n\r\n");
    }, number * 5);
  });
  for (let turn = 0; turn < 3; turn += 1) {
    await client.getChat(chatId);
    await collect(client.streamMessage(chatId, { text: "x" }, key));
  }
  await expect.poll(() => ends).toBe(3);
  await client.getChat(chatId);
  expect(lost).toBe(0);
});
