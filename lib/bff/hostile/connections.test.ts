/** Connections that end too early, at a Node HTTP server with the BFF's handlers. */
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listenLocally, rawRequest } from "../../../testing/local-server.ts";
import { exchangeBytes } from "../../../testing/unit/serve.ts";
import { bffLimits } from "../configuration/limits.ts";
import { createNodeServer } from "../node/node-handler.ts";
import { hostilePeer, maya, ownerOfChat, sharedBff } from "../testing/hostile-set-up.ts";
import { aChat, aMessage, beginStream, json } from "../testing/hostile-upstream.ts";
import { freshKey, pageHeaders, testOrigin } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);
const server = createNodeServer(t.chat);
let port = 0;
let cookie = "";
beforeAll(async () => {
  port = await listenLocally(server);
});
beforeEach(async () => {
  cookie = (await ownerOfChat(t, upstream)).cookies();
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function requestHead(headers: Record<string, string>): string {
  return rawRequest("POST", "/api/chat/chats/chat_0001/messages", {
    host: `127.0.0.1:${port}`,
    ...pageHeaders,
    origin: testOrigin,
    cookie,
    "content-type": "application/json",
    "idempotency-key": freshKey(),
    ...headers,
  });
}

const body = '{"text":"hello"}';

test.each([0, 10, 50, 100])(
  "frees the slots of a caller that leaves %i ms after its request",
  async (delay) => {
    upstream.on("POST /chats/chat_0001/messages", (_, response) => {
      setTimeout(() => beginStream(response), 30);
    });
    const head = requestHead({ accept: "text/event-stream", "content-length": String(body.length) });
    await Promise.all(
      Array.from({ length: bffLimits.streamsPerSession }, async () => {
        const socket = connect(port, "127.0.0.1");
        await new Promise<void>((resolve) => void socket.write(head + body, () => resolve()));
        await new Promise((resolve) => setTimeout(resolve, delay));
        socket.destroy();
      }),
    );
    await expect.poll(() => upstream.seen.filter(({ method }) => method === "POST")).not.toHaveLength(0);
    await expect.poll(() => t.bff.streams.size()).toBe(0);
  },
);

test.each(["text/event-stream", "application/json"])(
  "forwards a message that has arrived whole although its connection is reset at once: %s",
  async (accept) => {
    upstream.on("POST /chats/chat_0001/messages", (_, response) => {
      if (accept === "text/event-stream") beginStream(response);
      else json(response, 201, { item: { message: aMessage(), reply: null, chat: aChat(maya) } });
    });
    const presses = 12;
    for (let press = 0; press < presses; press += 1) {
      const owner = (await ownerOfChat(t, upstream)).cookies();
      const head = requestHead({ accept, cookie: owner, "content-length": String(body.length) });
      const socket = connect(port, "127.0.0.1");
      await new Promise<void>((resolve) => void socket.write(head + body, () => resolve()));
      socket.resetAndDestroy();
    }
    await expect
      .poll(() => upstream.seen.filter(({ method, body: sent }) => method === "POST" && sent === body))
      .toHaveLength(presses);
  },
);

test("writes no error for unreadable data into the stream of the request before it", async () => {
  upstream.on("POST /chats/chat_0001/messages", (_, response) => beginStream(response));
  const socket = connect(port, "127.0.0.1");
  let response = "";
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.on("error", () => undefined);
  socket.on("data", (piece) => {
    response += piece.toString("latin1");
    if (response.includes("event: start")) socket.write("nonsense\r\n\r\n");
  });
  socket.write(requestHead({ accept: "text/event-stream", "content-length": String(body.length) }) + body);
  await closed;
  expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201"]);
});

test.each([
  ["a body without its end", { "content-length": "30" }, '{"text":"hel'],
  ["a body that did not begin", { "content-length": "30" }, ""],
  ["a chunk without its end", { "transfer-encoding": "chunked" }, '10\r\n{"tex'],
  ["chunks without the last", { "transfer-encoding": "chunked" }, '10\r\n{"text":"hello"}\r\n'],
])("ignores a connection that ends in %s", async (_, headers, sent) => {
  expect(await exchangeBytes(port, requestHead({ ...headers, connection: "close" }) + sent, "end")).toBe("");
  await expect.poll(() => t.lines.at(-1)).toMatchObject({ route: "sendMessage", status: 503 });
  expect(upstream.seen.filter(({ method }) => method === "POST")).toEqual([]);
});

test("reads a refused body to its end, and then serves the next request of the connection", async () => {
  const piece = `${(65_536).toString(16)}\r\n${" ".repeat(65_536)}\r\n`;
  const refused = `${requestHead({ "transfer-encoding": "chunked" })}${piece.repeat(128)}0\r\n\r\n`;
  const headers = { host: `127.0.0.1:${port}`, connection: "close" };
  const next = rawRequest("GET", "/api/chat/health/live", headers);
  const responses = await exchangeBytes(port, refused + next);
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
});

test("does not answer a connection that ends in the middle of a request's headers", async () => {
  const head = requestHead({ "content-length": String(body.length) });
  for (const length of [1, 20, head.indexOf("idempotency-key"), head.length - 1]) {
    expect(await exchangeBytes(port, head.slice(0, length), "end")).toBe("");
  }
  expect(upstream.seen.filter(({ method }) => method === "POST")).toEqual([]);
});
