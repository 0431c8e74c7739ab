/** The client against real sockets: what only a network can do to it. */
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { operationPath } from "#lib/chat-api/operations.ts";
import { type ChatClientOptions, createChatClient } from "./client.ts";
import { aChat, chatId, idempotencyKey } from "./testing/builders.ts";
import { peakMemory } from "./testing/held-memory.ts";
import { type RawPeer, rawAnswer, startRawPeer } from "./testing/raw-peer.ts";
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
  answer: (socket: Socket, request: string, number: number) => void,
  overrides: Partial<ChatClientOptions> = {},
) {
  const started = await startRawPeer(answer);
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

/** Everything that a log could print of an error. */
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

/** A whole stream as chunked HTTP. */
function sendStream(socket: Socket): void {
  socket.write(streamHead("200 OK"));
  socket.write(chunk(recorded));
  socket.write("0\r\n\r\n");
}

const keysOf = (requests: readonly string[]) =>
  requests.map((request) => /^idempotency-key: (.*)$/im.exec(request)?.[1]);

test.each([
  ["refused", (socket: Socket) => void socket.resetAndDestroy()],
  ["closed before an answer", (socket: Socket) => void socket.end()],
  [
    "reset in the head",
    (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-", () => socket.resetAndDestroy()),
  ],
  [
    "reset in the body",
    (socket: Socket) =>
      void socket.write(rawAnswer(chatJson).subarray(0, -9), () => socket.resetAndDestroy()),
  ],
  ["closed in the body", (socket: Socket) => void socket.end(rawAnswer(chatJson).subarray(0, -9))],
  ["no HTTP at all", (socket: Socket) => void socket.end("SSH-2.0-OpenSSH\r\n")],
])("a write whose connection was %s is repeated with its key and body", async (_, fail) => {
  const requests: string[] = [];
  const { client } = await serve((socket, request, number) => {
    requests.push(request);
    if (number <= 2) fail(socket);
    else socket.end(rawAnswer(chatJson));
  });
  expect((await client.createChat({ locale: "de" }, key)).item).toEqual(aChat());
  expect(keysOf(requests)).toEqual([idempotencyKey, idempotencyKey, idempotencyKey]);
  expect(new Set(requests.map((request) => request.split("\r\n\r\n")[1]))).toEqual(
    new Set(['{"locale":"de"}']),
  );
});

test("a peer that is gone is unreachable, and nothing of the key is in the error", async () => {
  const { client, peer: gone } = await serve(() => undefined);
  await gone.close();
  peer = undefined;
  const error = await failureOf(client.createChat({}, key));
  expect(error).toMatchObject({
    name: "ChatConnectionError",
    fault: "unreachable",
    systemCode: "ECONNREFUSED",
  });
  expect(printed(error)).not.toMatch(/canary|key-0000/);
});

test("a host that does not exist, and an address that is none, are unreachable", async () => {
  const unknown = await failureOf(clientOf("http://chat.invalid").getChat(chatId));
  expect(unknown).toMatchObject({ fault: "unreachable" });
  const relative = await failureOf(clientOf("").getChat(chatId));
  expect(relative).toMatchObject({ fault: "unreachable" });
  expect(printed(unknown) + printed(relative)).not.toContain("canary");
});

test("a black hole is a timeout", async () => {
  const { client } = await serve(() => undefined, { timeouts: { headers: 30 } });
  expect(await failureOf(client.getChat(chatId))).toMatchObject({ fault: "timeout" });
});

test.each(["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])(
  "%s is not followed: the key stays here",
  async (status) => {
    const requests: string[] = [];
    const { client } = await serve((socket, request) => {
      requests.push(request);
      socket.end(rawAnswer("{}", { status, headers: { location: "/elsewhere" } }));
    });
    expect(await failureOf(client.createChat({}, key))).toMatchObject({
      name: "ContractError",
      fault: "redirect",
    });
    expect(requests).toHaveLength(1);
  },
);

test("more bytes than announced, or a wrong encoding, do no harm", async () => {
  const { client } = await serve((socket, _, number) => {
    if (number === 1) socket.end(rawAnswer(`${chatJson}garbage`, { length: chatJson.length }));
    else if (number === 2) socket.end(rawAnswer(chatJson, { headers: { "content-encoding": "gzip" } }));
    else socket.end(rawAnswer(gzipSync(chatJson), { headers: { "content-encoding": "gzip" } }));
  });
  expect(await client.getChat(chatId)).toEqual(aChat());
  expect(await client.getChat(chatId)).toEqual(aChat());
});

test("a gzip bomb is stopped at the limit", async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, " "));
  const { client } = await serve((socket) => {
    socket.write(rawAnswer(bomb, { headers: { "content-encoding": "gzip" } }));
  });
  const { result, bytes } = await peakMemory(() => failureOf(client.getChat(chatId)));
  expect(result).toMatchObject({ name: "ContractError", fault: "too_large" });
  expect(bytes).toBeLessThan(64 * 1024 * 1024);
});

test("an endless answer is stopped and its socket closed", async () => {
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
  expect(await failureOf(client.getChat(chatId))).toMatchObject({ fault: "too_large" });
  await expect.poll(() => closed).toBe(true);
});

test("a stream that is reset, closed or cut between two chunks is taken up", async () => {
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

test("a stream that falls silent is taken up", async () => {
  const { client } = await serve(
    (socket, _, number) => {
      if (number > 1) sendStream(socket);
      else socket.write(Buffer.concat([Buffer.from(streamHead()), chunk(recorded.subarray(0, 200))]));
    },
    { timeouts: { idle: 200 } },
  );
  expect(textOf(await collect(client.streamMessage(chatId, { text: "x" }, key)))).toBe(parts.join(""));
});

test("a stream or answer that ended well leaves its socket to the next request", async () => {
  let lost = 0;
  let ends = 0;
  const { client } = await serve((socket, request, number) => {
    socket.once("close", () => {
      lost += 1;
    });
    if (!request.includes("/messages")) {
      socket.write(rawAnswer(chatJson));
      return;
    }
    socket.write(Buffer.concat([Buffer.from(streamHead()), chunk(recorded)]));
    // The end of the response comes apart from the event that ends the turn, as it does from a real server.
    setTimeout(() => {
      ends += 1;
      socket.write("0\r\n\r\n");
    }, number * 5);
  });
  for (let turn = 0; turn < 3; turn += 1) {
    await client.getChat(chatId);
    await collect(client.streamMessage(chatId, { text: "x" }, key));
    for await (const event of client.streamMessage(chatId, { text: "x" }, key))
      if (event.type === "done") break;
  }
  await expect.poll(() => ends).toBe(6);
  await client.getChat(chatId);
  expect(lost).toBe(0);
});

test("leaving a stream closes its socket", async () => {
  let closed = false;
  const { client } = await serve((socket) => {
    socket.on("close", () => {
      closed = true;
    });
    socket.write(Buffer.concat([Buffer.from(streamHead()), chunk(recorded.subarray(0, 300))]));
  });
  for await (const event of client.streamMessage(chatId, { text: "x" }, key))
    if (event.type === "start") break;
  await expect.poll(() => closed).toBe(true);
});

test("a download arrives as it was sent, uncompressed by request, and one that is cut fails", async () => {
  const file = Buffer.from([0, 255, 1, 254]);
  const requests: string[] = [];
  const { client } = await serve((socket, request, number) => {
    requests.push(request);
    const answer = rawAnswer(file, {
      headers: { "content-type": "image/png", "content-disposition": "inline" },
    });
    socket.end(number === 1 ? answer : answer.subarray(0, -1));
  });
  const whole = await client.downloadFile(chatId, "file_0001");
  expect(whole.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(file);
  expect(requests[0]).toMatch(/^accept-encoding: identity$/im);
  const cut = await client.downloadFile(chatId, "file_0001");
  expect(await failureOf(cut.arrayBuffer())).toMatchObject({ name: "ChatConnectionError", fault: "cut" });
});

test("an upload crosses the wire as one part", async () => {
  const requests: string[] = [];
  const { client } = await serve((socket, request, number) => {
    requests.push(request);
    if (number === 1) socket.resetAndDestroy();
    else socket.end(rawAnswer(JSON.stringify({ item: { id: "file_0001" } }), { status: "201 Created" }));
  });
  const bytes = new Blob(["GIF89a"]);
  const { replayed } = await client.uploadFile(
    chatId,
    { bytes, filename: "a.gif", mediaType: "image/gif" },
    key,
  );
  expect(replayed).toBe(false);
  for (const request of requests) {
    const boundary = /^content-type: multipart\/form-data; boundary=(.*)$/im.exec(request)?.[1] ?? "";
    expect(request.split(`--${boundary}`)).toHaveLength(3);
    expect(request).toContain(
      'Content-Disposition: form-data; name="file"; filename="a.gif"\r\nContent-Type: image/gif\r\n\r\nGIF89a\r\n',
    );
  }
  expect(keysOf(requests)).toEqual([idempotencyKey, idempotencyKey]);
});
