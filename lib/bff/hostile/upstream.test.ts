/** The BFF's responses to a malformed, broken or overloaded Chat API. */
import { gzipSync } from "node:zlib";
import { beforeEach, expect, test } from "vitest";
import { peakMemory } from "../../chat-client/testing/held-memory.ts";
import { bffOfTest, hostilePeer, maya, ownBff } from "../testing/hostile-set-up.ts";
import { aChat, aMessage, errorBody, json } from "../testing/hostile-upstream.ts";
import type { TestBff, TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
let t: TestBff;
let browser: TestBrowser;
beforeEach(async () => {
  ({ t, browser } = await bffOfTest(upstream, environment));
});

const messages = "/api/chat/chats/chat_0001/messages";
const list = (item: object) =>
  upstream.respond("GET /chats/chat_0001/messages", 200, { items: [item], nextCursor: null });

test("replaces unknown values with harmless ones and drops unknown fields", async () => {
  list(aMessage({ role: "robot", mood: "happy", internalNote: "secret7391" }));
  const text = await (await browser.get(messages)).text();
  expect(JSON.parse(text).items[0].role).toBe("system");
  expect(text).not.toMatch(/mood|secret7391/);
  upstream.respond("GET /chats/chat_0001", 200, { item: aChat(maya, { mode: "asleep", plan: "gold" }) });
  const chat = await (await browser.get("/api/chat/chats/chat_0001")).json();
  expect(chat.item.mode).toBe("agent");
  expect(chat.item.plan).toBeUndefined();
});

test("answers 502 for a 200 that is HTML, empty, huge, malformed or compressed", async () => {
  const bodies: [string, Record<string, string>, string | Buffer][] = [
    ["HTML", { "content-type": "text/html" }, "<h1>Welcome</h1>"],
    ["empty", { "content-type": "application/json" }, ""],
    ["no type", {}, '{"items":[],"nextCursor":null}'],
    ["another shape", { "content-type": "application/json" }, '{"items":"none"}'],
    ["50 MB", { "content-type": "application/json" }, Buffer.alloc(50_000_000, 32)],
    [
      "a bomb",
      { "content-type": "application/json", "content-encoding": "gzip" },
      gzipSync(Buffer.alloc(64_000_000, 32)),
    ],
  ];
  for (const [what, headers, body] of bodies) {
    upstream.on("GET /chats/chat_0001/messages", (_, response) => {
      response.writeHead(200, headers);
      response.end(body);
    });
    const { result: response, bytes } = await peakMemory(() => browser.get(messages));
    expect(response.status, what).toBe(502);
    expect((await response.json()).error.code).toBe("upstream_unreachable");
    expect(bytes, what).toBeLessThan(32 * 1024 * 1024);
  }
}, 30_000);

test("answers 502 for too many headers, a broken status line and a closed socket", async () => {
  const floods: ((socket: import("node:net").Socket | null) => void)[] = [
    (socket) => socket?.end(`HTTP/1.1 200 OK\r\n${"x-a: b\r\n".repeat(50_000)}\r\n`),
    (socket) => socket?.end(`HTTP/1.1 200 OK\r\nx-a: ${"b".repeat(1_000_000)}\r\n\r\n`),
    (socket) => socket?.end("HTTP/9.9 banana\r\n\r\n"),
    (socket) => socket?.end("220 smtp.example ESMTP\r\n"),
    (socket) => socket?.destroy(),
  ];
  for (const flood of floods) {
    upstream.on("GET /chats/chat_0001/messages", (_, response) => flood(response.socket));
    expect((await browser.get(messages)).status).toBe(502);
  }
});

test("answers 502 for a status outside HTTP and logs that the peer does not speak it", async () => {
  upstream.respond("GET /chats/chat_0001/messages", 600, {});
  expect((await browser.get(messages)).status).toBe(502);
  expect(t.lines.at(-2)).toMatchObject({
    event: "upstream_unreachable",
    msg: expect.stringContaining("CHAT_BASE_URL"),
  });
});

test("skips provisional responses", async () => {
  upstream.on("GET /chats/chat_0001/messages", (_, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    json(response, 200, { items: [], nextCursor: null });
  });
  expect(await (await browser.get(messages)).json()).toEqual({ items: [], nextCursor: null });
});

test("logs the status and likely cause of an error without a Chat API code", async () => {
  for (const status of [401, 403, 404]) {
    const own = ownBff(environment);
    upstream.on("*", (_, response) => {
      response.writeHead(status, { "content-type": "text/html" });
      response.end("<h1>Blocked</h1>");
    });
    const ready = await own.browser().get("/api/chat/health/ready");
    expect(ready.status).toBe(503);
    const error = own.lines.find(({ event }) => event === "operator_error");
    expect(error?.["msg"]).toMatch(/proxy or firewall/);
    expect(error?.["msg"]).toContain(`no error code with status ${status}`);
  }
});

test("answers internal_error for an unknown code and blames no field of the customer's", async () => {
  upstream.respond("POST /chats/chat_0001/messages", 422, errorBody("phase_of_moon"));
  const response = await browser.post(messages, { text: "hello" });
  expect(response.status).toBe(500);
  expect((await response.json()).error.code).toBe("internal_error");
  const line = t.lines.find(({ event }) => event === "contract_breach");
  expect(line?.["msg"]).toContain("the unknown error code phase_of_moon with status 422");
});

test("names a temporary error in the readiness check's log", async () => {
  upstream.respond("*", 503, errorBody("service_unavailable"), { "retry-after": "1" });
  expect((await browser.get("/api/chat/health/ready")).status).toBe(503);
  expect(t.lines.find(({ event }) => event === "not_ready")).toMatchObject({
    code: "service_unavailable",
    upstreamRequestId: "up_1",
    msg: expect.stringContaining("service_unavailable"),
  });
});

test("is ready while the Chat API knows no such chat or limits requests, and asks it once in five seconds", async () => {
  let now = 0;
  const own = ownBff(environment, { clock: () => now });
  const check = async () => (await own.browser().get("/api/chat/health/ready")).status;
  for (const [status, code] of [
    [429, "rate_limited"],
    [404, "chat_not_found"],
  ] as const) {
    now += 5_000;
    upstream.respond("*", status, errorBody(code));
    expect(await check(), code).toBe(200);
  }
  upstream.seen.length = 0;
  now += 5_000;
  await Promise.all([check(), check()]);
  now += 4_999;
  await check();
  expect(upstream.seen).toHaveLength(1);
  now += 1;
  await check();
  expect(upstream.seen).toHaveLength(2);
});
