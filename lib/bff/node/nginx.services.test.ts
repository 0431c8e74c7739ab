/** nginx, as docs/production.md and docs/deploy/nginx.conf set it up (npm run test:services). */
import { connect } from "node:net";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { listenLocally } from "../../../testing/local-server.ts";
import { type RunningNginx, startNginx } from "../../../testing/services/nginx.ts";
import { limits } from "../../chat-api/limits.ts";
import { aFile } from "../../chat-api/testing/builders.ts";
import { encodeTurnEvent } from "../../chat-api/turn-events.ts";
import { rateLimitTable } from "../limits/rate-limits.ts";
import { hostilePeer, maya, ownerOfChat, sharedBff, signedIn } from "../testing/hostile-set-up.ts";
import { aChat, aMessage, beginStream } from "../testing/hostile-upstream.ts";
import { freshKey, pageHeaders, testOrigin } from "../testing/test-bff.ts";
import { createNodeServer } from "./node-handler.ts";

const { upstream, environment } = await hostilePeer();
/** All tests are in one window of the limits. */
const startOfMinute = Date.parse("2026-03-02T00:00:00Z");
const t = sharedBff(
  { ...environment, TRUST_PROXY_HOPS: "1" },
  { isLimited: true, clock: () => startOfMinute },
);
const node = createNodeServer(t.chat);
/** The requests that reach Node. */
const requests: string[] = [];
node.prependListener("request", ({ method, url }) => requests.push(`${method} ${url}`));
let connections = 0;
node.on("connection", () => {
  connections += 1;
});

let nginx: RunningNginx;
let origin: string;

beforeAll(async () => {
  nginx = await startNginx(inject("nginx"), [await listenLocally(node)]);
  origin = nginx.origin;
});
afterAll(async () => {
  await nginx.stop();
  await new Promise((resolve) => node.close(resolve));
});

function headersOf(cookie: string | undefined): Record<string, string> {
  return { ...pageHeaders, origin: testOrigin, cookie: String(cookie), "idempotency-key": freshKey() };
}

test("delivers a delta during the reply, even to clients that accept gzip", async () => {
  const cookie = (await ownerOfChat(t, upstream)).cookies();
  // Writes each event when the previous one has arrived: nginx delays small chunks, but never the first.
  const arrived = { start: Promise.withResolvers<void>(), delta: Promise.withResolvers<void>() };
  upstream.on("POST /chats/chat_0001/messages", async (_, response) => {
    beginStream(response);
    await arrived.start.promise;
    response.write(encodeTurnEvent({ type: "delta", text: "Yes" }));
    await arrived.delta.promise;
    const reply = aMessage({ id: "msg_0002", role: "agent", text: "Yes" });
    const item = { message: aMessage(), reply, chat: aChat(maya) };
    response.end(`event: done\ndata: ${JSON.stringify({ item })}\n\n`);
  });
  const response = await fetch(`${origin}/api/chat/chats/chat_0001/messages`, {
    method: "POST",
    body: '{"text":"hello"}',
    headers: {
      ...headersOf(cookie),
      accept: "text/event-stream",
      "accept-encoding": "gzip",
      "content-type": "application/json",
    },
  });
  expect(response.headers.get("content-encoding")).toBeNull();
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes("event: start")) arrived.start.resolve();
    if (text.includes("event: delta")) arrived.delta.resolve();
  }
  expect(text).toContain("event: done");
});

test("accepts a file of 4 MiB; the BFF rejects one byte more, nginx far more", async () => {
  const cookie = (await ownerOfChat(t, upstream)).cookies();
  upstream.respond("POST /chats/chat_0001/files", 201, { item: aFile() });
  const upload = (length: number) => {
    const body = new FormData();
    body.append("file", new File(["x".repeat(length)], "a.txt", { type: "text/plain" }));
    return fetch(`${origin}/api/chat/chats/chat_0001/files`, {
      method: "POST",
      body,
      headers: headersOf(cookie),
    });
  };
  expect((await upload(limits.fileBytes)).status).toBe(201);
  const larger = await upload(limits.fileBytes + 1);
  expect((await larger.json()).error.code).toBe("payload_too_large");
  const largest = await upload(20 * 1024 * 1024);
  expect([largest.status, largest.headers.get("content-type")]).toEqual([413, "text/html"]);
});

test("rejects a URL over 8 KiB in nginx, and one with too many parameters in the BFF", async () => {
  const before = connections;
  expect((await fetch(`${origin}/api/chat/health/live?${"a".repeat(9_000)}`)).status).toBe(414);
  expect((await fetch(`${origin}/help?${"a=1&".repeat(2_200)}`)).status).toBe(414);
  expect(connections).toBe(before);
  const response = await fetch(`${origin}/api/chat/health/live?${"a=1&".repeat(1_000)}`);
  expect([response.status, (await response.json()).error.code]).toEqual([400, "invalid_request"]);
});

test("nginx buffers the body of a page request completely and rejects a large one", async () => {
  requests.length = 0;
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await new Promise<void>(
    (resolve) =>
      void socket.write(
        `POST /help HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 16000\r\n\r\n${"x".repeat(15_999)}`,
        () => resolve(),
      ),
  );
  const large = await fetch(`${origin}/help`, { method: "POST", body: "x".repeat(17 * 1024) });
  expect(large.status).toBe(413);
  expect(requests).toEqual([]);
  await new Promise<void>((resolve) => {
    socket.once("data", () => resolve());
    socket.write("x");
  });
  expect(requests).toEqual(["POST /help"]);
  socket.destroy();
});

test("gives no new allowance for a forged X-Forwarded-For", async () => {
  const statuses: number[] = [];
  for (let session = 0; session < 5; session += 1) {
    const cookie = (await signedIn(t, `customer-${session}`)).cookies();
    for (let search = 0; search < 26; search += 1) {
      const headers = {
        ...headersOf(cookie),
        "x-forwarded-for": `203.0.113.${session}, 198.51.100.${search}`,
      };
      const response = await fetch(`${origin}/api/chat/chats/chat_9999/messages`, {
        method: "POST",
        body: '{"text":"hello"}',
        headers: { ...headers, "content-type": "application/json" },
      });
      statuses.push(response.status);
    }
  }
  const [{ calls } = { calls: 0 }] = rateLimitTable(1).send.perAddress;
  const passed = statuses.filter((status) => status !== 429);
  // The preceding tests also sent messages from this address.
  expect(passed.length).toBeLessThanOrEqual(calls);
  expect(passed.length).toBeGreaterThan(calls - 5);
});

test("denies metrics outside the shop's network and reuses connections to Node", async () => {
  expect((await fetch(`${origin}/api/chat/metrics`)).status).toBe(403);
  const before = connections;
  for (let call = 0; call < 20; call += 1) await (await fetch(`${origin}/api/chat/health/live`)).text();
  expect(connections - before).toBeLessThan(5);
});
