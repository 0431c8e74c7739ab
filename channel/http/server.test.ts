/** Behaviour that needs a real connection. */
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { rawRequest } from "../../testing/local-server.ts";
import { exchangeBytes } from "../../testing/unit/serve.ts";
import { testChannel } from "../testing/test-channel.ts";
import { listen } from "./server.ts";

async function served() {
  const channel = await testChannel();
  const server = await listen(channel.channel.fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close(0));
  return {
    ...channel,
    port: server.port,
    path: (chatId: string) => `/v1/channels/${channel.channelKey}/chats/${chatId}/messages`,
    base: `http://127.0.0.1:${server.port}/v1/channels/${channel.channelKey}`,
    headers: {
      authorization: `Bearer ${channel.chatKey}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
  };
}

test("answers requests that it cannot read with a JSON error", async () => {
  const { port } = await served();
  for (const request of [
    "GARBAGE\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
    `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(20_000)}\r\n\r\n`,
    ...["GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost: a b", "OPTIONS * HTTP/1.1\r\nHost: a"].map(
      (head) => `${head}\r\nConnection: close\r\n\r\n`,
    ),
  ]) {
    const answer = await exchangeBytes(port, request);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const requestId = /^x-request-id: (.*)$/im.exec(head)?.[1];
    expect(JSON.parse(body)).toMatchObject({ error: { code: "invalid_request", requestId } });
  }
});

test("ignores an expectation that it does not know", async () => {
  const { port, base, headers } = await served();
  const expecting = { ...headers, host: "channel", connection: "close", expect: "a-miracle" };
  const answer = await exchangeBytes(port, rawRequest("GET", new URL(base).pathname, expecting));
  expect(answer).toMatch(/^HTTP\/1\.1 404 .*\r\nx-request-id: req_/s);
});

test("reads an oversized upload before it refuses it and closes the connection", async () => {
  const { port, path, headers, createChat } = await served();
  const upload = path(await createChat()).replace(/messages$/, "files");
  const body = "a".repeat(32 * 1024 * 1024);
  const length = { host: "channel", connection: "close", "content-length": `${body.length}` };
  const type = { "content-type": "multipart/form-data; boundary=b" };
  const answer = await exchangeBytes(
    port,
    rawRequest("POST", upload, { ...headers, ...type, ...length }, body),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
});

test("does not write an answer to malformed HTTP into an open stream", async () => {
  const { port, path, headers, createChat, agent } = await served();
  const chatId = await createChat();
  agent.answer(async function* (_turn, signal) {
    yield { type: "text", text: "Let me think" };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
  const body = '{"text":"Hello"}';
  let answer = "";
  const socket = connect(port, "127.0.0.1");
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.on("error", () => undefined);
  socket.on("data", (piece) => {
    answer += piece.toString("latin1");
    if (answer.includes("event: delta")) socket.write("GARBAGE\r\n\r\n");
  });
  const streamed = { host: "channel", accept: "text/event-stream", "content-length": `${body.length}` };
  socket.write(rawRequest("POST", path(chatId), { ...headers, ...streamed }, body));
  await closed;
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201"]);
});

test("a stopping channel sends Connection: close and fails its health check", async () => {
  const { base, port, channel, headers, createChat } = await served();
  const chatId = await createChat();
  await channel.stop(0);
  const read = await fetch(`${base}/chats/${chatId}`, { headers });
  expect([read.status, read.headers.get("connection")]).toEqual([200, "close"]);
  const response = await fetch(`${base}/chats/${chatId}/messages`, {
    method: "POST",
    headers,
    body: '{"text":"x"}',
  });
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(503);
});
