import { connect, createServer } from "node:net";
import { expect } from "@playwright/test";
import { listenLocally } from "../../testing/local-server.ts";
import { requestTo, sendRaw } from "./raw-http.ts";
import { pageHeaders, startSession } from "./shop-browser.ts";
import { test } from "./shop-page.ts";

test("ignores Next's internal headers and rejects its internal paths", async ({ origin }) => {
  const owner = await startSession(origin);
  const chatId = await owner.newChat();
  const tricks: Record<string, string>[] = [
    { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
    { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
    { "x-nextjs-data": "1" },
    { rsc: "1", "next-router-state-tree": "[]" },
    { "next-action": "0".repeat(40), "content-type": "text/plain" },
    { "x-middleware-rewrite": "/api/chat/health/live" },
    { "x-invoke-path": "/api/chat/health/live" },
    { "x-matched-path": "/api/chat/health/live" },
    { "x-now-route-matches": "1=x" },
    { "next-router-prefetch": "1", purpose: "prefetch" },
  ];
  for (const headers of tricks) {
    for (const path of [`/api/chat/chats/${chatId}`, `/api/chat/chats/${chatId}/messages`]) {
      const request = { path, headers: { ...pageHeaders, ...headers } };
      const response = await sendRaw(origin, requestTo(origin, request));
      expect(response.status, JSON.stringify(headers)).toBe(401);
      expect(response.text).not.toContain('"mode"');
      const written = requestTo(origin, { ...request, method: "POST", body: '{"text":"x"}' });
      const post = await sendRaw(origin, written);
      expect([401, 405], JSON.stringify(headers)).toContain(post.status);
    }
  }
  const spellings = [
    `/api/chat/chats/${chatId}.rsc`,
    `/api/chat/chats/${chatId}.segments/x.segment.rsc`,
    `/api/chat/chats/${chatId}?_rsc=1`,
    `//api/chat/chats/${chatId}`,
    `/api/chat//chats/${chatId}`,
    `/API/chat/chats/${chatId}`,
    `/api/chat/chats/${chatId}/`,
    `/_next/data/x/api/chat/chats/${chatId}.json`,
    `/%61pi/chat/chats/${chatId}`,
    `/api/chat/./chats/${chatId}`,
    `/shop/../api/chat/chats/${chatId}`,
    `/api\\chat\\chats\\${chatId}`,
  ];
  for (const path of spellings) {
    const response = await sendRaw(origin, requestTo(origin, { path, headers: pageHeaders }));
    expect(response.status, path).not.toBe(200);
    expect(response.text, path).not.toContain('"mode"');
  }
});

test("echoes no forged host, scheme or address", async ({ origin }) => {
  const evil = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-for": "6.6.6.6",
    forwarded: "host=evil.example;proto=gopher",
    "x-original-url": "/api/chat/health/live",
    "x-rewrite-url": "/api/chat/health/live",
  };
  for (const path of [
    "/",
    "/help",
    "/api/chat/session",
    "/api/chat/chats/chat_0001",
    "/api/chat/health/ready",
    "/api/chat/nowhere",
    "/api/chat/health/live",
    "/not/a/page",
    "/sitemap.xml",
  ]) {
    const response = await sendRaw(origin, requestTo(origin, { path, headers: { ...evil, ...pageHeaders } }));
    expect(response.text, path).not.toMatch(/evil\.example|gopher|6\.6\.6\.6/);
  }
});

test("neither upgrades connections nor forwards requests to other hosts", async ({ origin }) => {
  const { host } = new URL(origin);
  let visits = 0;
  const elsewhere = createServer(() => {
    visits += 1;
  });
  const target = `127.0.0.1:${await listenLocally(elsewhere)}`;
  const upgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  const requests = [
    `GET /api/chat/session HTTP/1.1\r\nHost: ${host}\r\nHost: ${target}\r\nConnection: close\r\n\r\n`,
    `GET http://${target}/api/chat/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    `GET http://${target}/ HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${target}\r\n${upgrade}\r\n\r\n`,
    `GET /api/chat/session HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`,
  ];
  for (const request of requests) {
    const response = await sendRaw(origin, request);
    expect(response.status, request).not.toBe(101);
    expect(response.text, request).not.toMatch(/Connection Established|location:/i);
  }
  expect(visits).toBe(0);
  await new Promise((resolve) => elsewhere.close(resolve));
});

test("rejects requests that two servers could parse differently", async ({ origin }) => {
  const { host } = new URL(origin);
  const head = `POST /api/chat/session HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const ambiguous: Record<string, string> = {
    "both lengths": `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/chat/health/live HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    "two lengths": `${head}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`,
    "a chunk size that is none": `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    "an unknown coding": `${head}Transfer-Encoding: cow, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    "a blank before the colon": `${head}Content-Length : 2\r\n\r\n{}`,
    "17 KB of header": `${head}X-Long: ${"x".repeat(17 * 1024)}\r\n\r\n`,
    "a folded header": `${head}X-A: b\r\n c\r\nContent-Length: 2\r\n\r\n{}`,
  };
  for (const [what, request] of Object.entries(ambiguous)) {
    const response = await sendRaw(origin, request);
    expect([0, 400, 403, 431, 500, 501], what).toContain(response.status);
    expect(response.text, what).not.toContain('"status":"live"');
    expect(response.text, what).not.toMatch(/set-cookie/i);
  }
  const bare = await sendRaw(origin, `GET /api/chat/health/live HTTP/1.1\nHost: ${host}\n\n`);
  expect(bare.status).toBe(400);
});

test("serves no server file, and the image optimiser is off", async ({ origin }) => {
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
    "/lib/bff/configuration/env.ts",
    `/_next/image?url=${encodeURIComponent("http://169.254.169.254/latest")}&w=64&q=75`,
    `/_next/image?url=${encodeURIComponent(`http://${host}/icon.svg`)}&w=64&q=75`,
    "/_next/image?url=%2Ficon.svg&w=64&q=75",
    "/_next/static/chunks/app/page.js.map",
    "/_next/mcp",
  ];
  for (const path of hidden) {
    const response = await sendRaw(origin, requestTo(origin, { path }));
    expect([400, 404, 308], path).toContain(response.status);
    expect(response.text, path).not.toMatch(/CHAT_KEY|"dependencies"|\[core\]|readConfig/);
  }
});

test("rejects a body above Next's limit with the BFF's own 413", async ({ origin }) => {
  const { call, newChat } = await startSession(origin);
  const chatId = await newChat();
  // Larger than Next's limit, so that the response comes long before the end of the body.
  const large = await call("POST", `/api/chat/chats/${chatId}/collection`, {
    padding: "x".repeat(12 * 1024 * 1024),
  });
  expect(large.status).toBe(413);
  expect((await large.json()).error.code).toBe("payload_too_large");
});

for (const accept of ["text/event-stream", "application/json"]) {
  test(`stores messages that have arrived whole although their tabs close at once: ${accept}`, async ({
    origin,
  }) => {
    const { hostname: host, port } = new URL(origin);
    for (let press = 0; press < 12; press += 1) {
      const owner = await startSession(origin);
      const chatId = await owner.newChat();
      const headers = {
        ...pageHeaders,
        origin,
        accept,
        cookie: owner.cookie,
        "content-type": "application/json",
        "idempotency-key": `a-press-${chatId}`,
      };
      const path = `/api/chat/chats/${chatId}/messages`;
      const bytes = requestTo(origin, { method: "POST", path, headers, body: '{"text":"hello"}' });
      const socket = connect(Number(port), host);
      await new Promise<void>((resolve) => void socket.write(bytes, () => resolve()));
      socket.resetAndDestroy();
      const stored = async () => (await (await owner.call("GET", path)).json()).items.length;
      await expect.poll(stored, `press ${press}`).toBeGreaterThan(0);
    }
  });
}
