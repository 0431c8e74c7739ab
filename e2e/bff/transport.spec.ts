/** Hostile cases A, 24 to 29, and B, 41, against Next's own server: tricks of transport, paths and headers. */
import { createServer } from "node:net";
import { expect } from "@playwright/test";
import { rawRequest, sendRaw } from "./raw-http.ts";
import { pageHeaders, startSession } from "./shop-browser.ts";
import { test } from "./shop-test.ts";

const methods = ["HEAD", "PUT", "PATCH", "OPTIONS", "DELETE"];
const paths: Record<string, string> = {
  "/api/session": "GET, POST, DELETE",
  "/api/chats": "POST",
  "/api/chats/chat_0001": "GET",
  "/api/chats/chat_0001/messages": "GET, POST",
  "/api/chats/chat_0001/files": "POST",
  "/api/chats/chat_0001/files/file_0001": "GET",
  "/api/chats/chat_0001/collection": "GET, POST",
  "/api/chats/chat_0001/handoff": "POST",
  "/api/health/live": "GET",
  "/api/health/ready": "GET",
};

test("#29 every other method answers 405 with Allow, in JSON, on every path", async ({ origin }) => {
  for (const [path, allow] of Object.entries(paths)) {
    for (const method of methods) {
      if (allow.includes(method)) continue;
      const answer = await sendRaw(origin, rawRequest(origin, { method, path, headers: pageHeaders }));
      expect(answer.status, `${method} ${path}`).toBe(405);
      expect(answer.header("allow")).toBe(allow);
      expect(answer.header("set-cookie")).toBeUndefined();
      if (method !== "HEAD") expect(answer.text).toContain('"code":"method_not_allowed"');
    }
    const trace = await sendRaw(
      origin,
      rawRequest(origin, { method: "TRACE", path, headers: { cookie: "a=b" } }),
    );
    expect(trace.status, `TRACE ${path}`).not.toBe(200);
    expect(trace.text).not.toContain("a=b");
  }
});

test("#26 headers and addresses of Next's inner life open nothing", async ({ origin }) => {
  const owner = await startSession(origin);
  const chatId = await owner.newChat();
  const tricks: Record<string, string>[] = [
    { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
    { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
    { "x-nextjs-data": "1" },
    { rsc: "1", "next-router-state-tree": "[]" },
    { "next-action": "0".repeat(40), "content-type": "text/plain" },
    { "x-middleware-rewrite": "/api/health/live" },
    { "x-invoke-path": "/api/health/live" },
    { "x-matched-path": "/api/health/live" },
    { "x-now-route-matches": "1=x" },
    { "next-router-prefetch": "1", purpose: "prefetch" },
  ];
  for (const headers of tricks) {
    for (const path of [`/api/chats/${chatId}`, `/api/chats/${chatId}/messages`]) {
      const answer = await sendRaw(
        origin,
        rawRequest(origin, { path, headers: { ...pageHeaders, ...headers } }),
      );
      // Next may send a page's own request elsewhere first; it never gets past the pipeline.
      expect([307, 401], JSON.stringify(headers)).toContain(answer.status);
      expect(answer.text).not.toContain('"mode"');
      const post = await sendRaw(
        origin,
        rawRequest(origin, {
          method: "POST",
          path,
          headers: { ...pageHeaders, ...headers },
          body: '{"text":"x"}',
        }),
      );
      expect([307, 401, 405], JSON.stringify(headers)).toContain(post.status);
    }
  }
  const spellings = [
    `/api/chats/${chatId}.rsc`,
    `/api/chats/${chatId}.segments/x.segment.rsc`,
    `/api/chats/${chatId}?_rsc=1`,
    `//api/chats/${chatId}`,
    `/api//chats/${chatId}`,
    `/API/chats/${chatId}`,
    `/api/chats/${chatId}/`,
    `/_next/data/x/api/chats/${chatId}.json`,
    `/%61pi/chats/${chatId}`,
    `/api/./chats/${chatId}`,
    `/shop/../api/chats/${chatId}`,
    `/api\\chats\\${chatId}`,
  ];
  for (const path of spellings) {
    const answer = await sendRaw(origin, rawRequest(origin, { path, headers: pageHeaders }));
    expect(answer.status, path).not.toBe(200);
    expect(answer.text, path).not.toContain('"mode"');
  }
});

test("#12 IDs that are paths, queries or broken escapes reach nothing", async ({ origin }) => {
  const { cookie } = await startSession(origin);
  for (const id of [
    "..%2F..%2Fadmin",
    "a%2Fmessages",
    "x%3Flimit%3D1",
    "x%23y",
    "chat_000%00",
    "chat_000%0d%0ax",
    "%252e%252e",
    "%ff",
    "%",
    "chat_0001%0A",
  ]) {
    for (const path of [
      `/api/chats/${id}`,
      `/api/chats/${id}/messages`,
      `/api/chats/chat_0001/files/${id}`,
    ]) {
      const answer = await sendRaw(origin, rawRequest(origin, { path, headers: { ...pageHeaders, cookie } }));
      // Next itself answers for an escape that it cannot decode.
      expect([400, 404, 500], path).toContain(answer.status);
      expect(answer.text).not.toMatch(/at \w+ \(|node_modules|\/lib\/bff/);
    }
  }
});

test("#24 what a request says about host, scheme and address is in no answer", async ({ origin }) => {
  const evil = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-for": "6.6.6.6",
    forwarded: "host=evil.example;proto=gopher",
    "x-original-url": "/api/health/live",
    "x-rewrite-url": "/api/health/live",
  };
  for (const path of [
    "/",
    "/help",
    "/api/session",
    "/api/nowhere",
    "/api/health/live",
    "/not/a/page",
    "/sitemap.xml",
  ]) {
    const answer = await sendRaw(origin, rawRequest(origin, { path, headers: { ...evil, ...pageHeaders } }));
    expect(answer.text, path).not.toMatch(/evil\.example|gopher|6\.6\.6\.6/);
  }
});

test("#27 duplicate hosts, foreign targets and upgrades lead nowhere", async ({ origin }) => {
  const { host } = new URL(origin);
  let visits = 0;
  const elsewhere = createServer(() => {
    visits += 1;
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const address = elsewhere.address();
  const target = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const upgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  const requests = [
    `GET /api/session HTTP/1.1\r\nHost: ${host}\r\nHost: ${target}\r\nConnection: close\r\n\r\n`,
    `GET http://${target}/api/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    `GET http://${target}/ HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${target}\r\n${upgrade}\r\n\r\n`,
    `GET /api/session HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`,
  ];
  for (const request of requests) {
    const answer = await sendRaw(origin, request);
    expect(answer.status, request).not.toBe(101);
    expect(answer.text, request).not.toMatch(/Connection Established/i);
  }
  expect(visits).toBe(0);
  await new Promise((resolve) => elsewhere.close(resolve));
});

test("#28 requests that two servers could read differently are refused", async ({ origin }) => {
  const { host } = new URL(origin);
  const head = `POST /api/session HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const refused: Record<string, string> = {
    "both lengths": `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/health/live HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    "two lengths": `${head}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`,
    "a chunk size that is none": `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    "an unknown coding": `${head}Transfer-Encoding: cow, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    "a blank before the colon": `${head}Content-Length : 2\r\n\r\n{}`,
    "17 KB of header": `${head}X-Long: ${"x".repeat(17 * 1024)}\r\n\r\n`,
    "a folded header": `${head}X-A: b\r\n c\r\nContent-Length: 2\r\n\r\n{}`,
  };
  for (const [what, request] of Object.entries(refused)) {
    const answer = await sendRaw(origin, request);
    expect([0, 400, 403, 431, 500, 501], what).toContain(answer.status);
    expect(answer.text, what).not.toContain('"status":"live"');
    expect(answer.text, what).not.toMatch(/set-cookie/i);
  }
  const bare = await sendRaw(origin, `GET /api/health/live HTTP/1.1\nHost: ${host}\n\n`);
  expect(bare.status).toBe(400);
});

test("#41 no file of the server's is served, and the picture optimiser is off", async ({ origin }) => {
  const { host } = new URL(origin);
  const hidden = [
    "/.env",
    "/.env.local",
    "/.git/config",
    "/.data/chat-key",
    "/package.json",
    "/%2e%2e/.env",
    "/..%2f.env",
    "/_next/..%2f..%2fpackage.json",
    "/.next/BUILD_ID",
    "/next.config.mjs",
    "/lib/bff/env.ts",
    `/_next/image?url=${encodeURIComponent("http://169.254.169.254/latest")}&w=64&q=75`,
    `/_next/image?url=${encodeURIComponent(`http://${host}/icon.svg`)}&w=64&q=75`,
    "/_next/image?url=%2Ficon.svg&w=64&q=75",
    "/_next/static/chunks/app/page.js.map",
    "/_next/mcp",
  ];
  for (const path of hidden) {
    const answer = await sendRaw(origin, rawRequest(origin, { path }));
    expect([400, 404, 308], path).toContain(answer.status);
    expect(answer.text, path).not.toMatch(/CHAT_KEY|"dependencies"|\[core\]|readConfig/);
  }
});

test("a body over Next's own limit is counted by ours, not cut in silence", async ({ origin }) => {
  const { call, newChat } = await startSession(origin);
  const chatId = await newChat();
  // Larger than what Next cuts at, so large that the answer comes long before the end.
  const large = await call("POST", `/api/chats/${chatId}/collection`, {
    padding: "x".repeat(12 * 1024 * 1024),
  });
  expect(large.status).toBe(413);
  expect((await large.json()).error.code).toBe("payload_too_large");
});
