/** Callers from other sites, with other headers and methods. `e2e/bff` covers Next's own server. */
import { beforeEach, expect, test } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import { operationPath } from "../../chat-api/operations.ts";
import { endpoints } from "../chat-server/endpoints.ts";
import { bffLimits } from "../configuration/limits.ts";
import { hostilePeer, maya, ownBff, ownerOfChat, sharedBff } from "../testing/hostile-set-up.ts";
import { aChat, aMessage, emptyPage, errorBody } from "../testing/hostile-upstream.ts";
import { canaryKey, pageHeaders, type TestBff, type TestBrowser, testOrigin } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);
let browser: TestBrowser;
beforeEach(async () => {
  browser = await ownerOfChat(t, upstream);
});

/** A request with the victim's cookie and only these headers. */
function raw(
  path: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Response> {
  const init: RequestInit = { method, headers: { cookie: browser.cookies(), ...headers } };
  return t.request(new Request(testOrigin + path, body === undefined ? init : { ...init, body }));
}

async function codeOf(response: Response): Promise<string> {
  return (await response.json()).error.code;
}

const jsonPost = { "content-type": "application/json", "idempotency-key": "key-12345" };
const send = operationPath("sendMessage", { chatId: "chat_0001" });

test("rejects cross-site and same-site requests of every content type and sends no CORS headers", async () => {
  const types = [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
  ];
  for (const site of ["cross-site", "same-site", "none"]) {
    for (const type of types) {
      const headers = { ...jsonPost, "x-chat-client": "1", "sec-fetch-site": site, "content-type": type };
      const response = await raw(`${defaultBasePath}${send}`, "POST", headers, '{"text":"hi"}');
      expect([response.status, await codeOf(response)], `${site} ${type}`).toEqual([
        403,
        "request_not_allowed",
      ]);
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  }
  expect(upstream.seen).toEqual([]);
});

test("rejects a foreign Origin despite a same-origin Sec-Fetch-Site", async () => {
  const origins = [
    "null",
    "http://shop.example",
    "https://shop.example:8443",
    "https://shop.example.evil.com",
    "https://evil.com/https://shop.example",
    "HTTPS://SHOP.EXAMPLE",
    "https://shop.example/",
    "http://localhost:3000",
  ];
  for (const origin of origins) {
    for (const site of [{}, { "sec-fetch-site": "same-origin" }]) {
      const response = await raw(
        "/api/chat/chats",
        "POST",
        { ...jsonPost, ...site, "x-chat-client": "1", origin },
        "{}",
      );
      expect(response.status, origin).toBe(403);
      expect((await response.json()).error.message).not.toContain(testOrigin);
    }
  }
  const response = await raw(
    "/api/chat/session",
    "POST",
    { ...jsonPost, "x-chat-client": "1", origin: testOrigin },
    "{}",
  );
  expect(response.status, "an old browser without Sec-Fetch-Site").toBe(200);
});

test("serves the shop's pages behind a proxy that drops Sec-Fetch headers", async () => {
  const chat = `${defaultBasePath}/chats/chat_0001`;
  upstream.respond("GET /chats/chat_0001/messages", 200, { items: [], nextCursor: null });
  const statusOf = async (headers: Record<string, string>) =>
    (await raw(`${chat}/messages`, "GET", headers)).status;
  // Other sites can send our header only with a CORS permission, which the BFF never gives.
  expect(await statusOf({ "x-chat-client": "1" })).toBe(200);
  for (const refused of [
    {},
    { origin: testOrigin },
    { "x-chat-client": "1", origin: "null" },
    { "x-chat-client": "1", origin: "https://evil.example" },
    { "x-chat-client": "1", "sec-fetch-site": "cross-site" },
    { "x-chat-client": "1", "sec-fetch-site": "same-site" },
    { "x-chat-client": "1", "sec-fetch-site": "" },
  ])
    expect(await statusOf(refused), JSON.stringify(refused)).toBe(403);
  // A link or `<img>` of any site sends neither header.
  expect((await raw(`${chat}/files/file_0001`, "GET", {})).status).toBe(403);
});

test("logs the origin of a page whose chat server is at another origin", async () => {
  const own = ownBff(environment);
  const preflight = (origin: string, asked: string) =>
    own.request(
      new Request(`${testOrigin}/api/chat/session`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": asked },
      }),
    );
  for (let again = 0; again < 2; again += 1) {
    const response = await preflight("https://pages.example", "content-type,x-chat-client");
    expect(response.status).toBe(405);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
  await preflight("https://evil.example", "content-type");
  expect(own.lines.filter(({ event }) => event === "origin_refused")).toMatchObject([
    { level: "warn", origin: "https://pages.example", msg: expect.stringContaining("one origin") },
  ]);
});

/** The first request of a page at this origin, as its browser sends it. */
async function startAt(own: TestBff, origin: string, site = "same-origin"): Promise<Response> {
  const headers = { ...pageHeaders, "content-type": "application/json", origin, "sec-fetch-site": site };
  return own.request(new Request(`${testOrigin}/api/chat/session`, { method: "POST", headers, body: "{}" }));
}

test("logs one warning with the remedy for each refused origin of a shop's page", async () => {
  const own = ownBff(environment);
  const warned = () => own.lines.filter(({ event }) => event === "origin_refused");
  for (let again = 0; again < 2; again += 1)
    for (const origin of ["https://preview.example", "http://localhost:3001"]) await startAt(own, origin);
  // Pages of other sites are refused on purpose.
  await startAt(own, "https://evil.example", "cross-site");
  expect(warned()).toMatchObject([
    { level: "warn", origin: "https://preview.example", msg: expect.stringContaining("APP_ORIGIN") },
    { level: "warn", origin: "http://localhost:3001", msg: expect.stringContaining(testOrigin) },
  ]);
  expect(own.lines.at(-1)).toMatchObject({ code: "request_not_allowed", reason: "origin" });
  for (let page = 0; page < 200; page += 1) await startAt(own, `https://${page}.example`);
  await startAt(own, `https://${"x".repeat(10_000)}.example`);
  expect(warned()).toHaveLength(bffLimits.warnedOrigins);
});

test("tells a refused page the shop's address in development only", async () => {
  for (const [mode, names] of [
    ["development", true],
    ["production", false],
  ] as const) {
    const response = await startAt(ownBff({ ...environment, NODE_ENV: mode }), "http://localhost:3001");
    const { code, message } = (await response.json()).error;
    expect([code, message.includes(testOrigin), message.includes("APP_ORIGIN")], mode).toEqual([
      "request_not_allowed",
      names,
      names,
    ]);
  }
});

test("rejects a write without Sec-Fetch-Site and Origin", async () => {
  for (const path of ["session", "chats", "chats/chat_0001/messages"]) {
    const response = await raw(`/api/chat/${path}`, "POST", { "x-chat-client": "1" });
    expect(response.status, path).toBe(403);
  }
});

test("requires the custom header for sessions, chats and messages", async () => {
  const { "x-chat-client": _, ...headers } = pageHeaders;
  for (const path of ["/api/chat/chats/chat_0001", "/api/chat/chats/chat_0001/messages"]) {
    expect((await raw(path, "GET", headers)).status, path).toBe(403);
  }
  for (const path of ["/api/chat/session", "/api/chat/chats"])
    expect((await raw(path, "POST", { ...headers, ...jsonPost }, "{}")).status, path).toBe(403);
  expect(upstream.seen).toEqual([]);
});

test("answers other methods with 405 and Allow, without changes or a session", async () => {
  for (const [path, routes] of Object.entries(endpoints)) {
    const allowed = routes.flatMap(({ methods }) => methods);
    const at = `/api/chat${path.replace("{chatId}", "chat_0001").replace("{fileId}", "file_0001")}`;
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (allowed.includes(method)) continue;
      const response = await raw(at, method, pageHeaders);
      expect(response.status, `${method} ${at}`).toBe(405);
      expect(response.headers.get("allow")).toBe(allowed.join(", "));
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  }
  expect(upstream.seen).toEqual([]);
});

test("serves files to the shop's pages and the address bar, never to other sites", async () => {
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.end("text");
  });
  const path = "/api/chat/chats/chat_0001/files/file_0001";
  for (const [site, status] of [
    ["same-origin", 200],
    ["none", 200],
    ["same-site", 403],
    ["cross-site", 403],
  ] as const) {
    for (const dest of ["image", "script", "iframe", "object", "document"]) {
      const response = await raw(path, "GET", { "sec-fetch-site": site, "sec-fetch-dest": dest });
      expect(response.status, `${site} ${dest}`).toBe(status);
      expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      await response.body?.cancel();
    }
  }
});

test("sends the Chat API only our headers, whatever the browser sends", async () => {
  upstream.respond("POST /chats/chat_0001/messages", 201, {
    item: { message: aMessage(), reply: null, chat: aChat(maya) },
  });
  await browser.post(
    "/api/chat/chats/chat_0001/messages",
    { text: "hi" },
    {
      authorization: "Bearer mine",
      "proxy-authorization": "Basic x",
      "x-forwarded-for": "6.6.6.6",
      "x-forwarded-host": "evil.example",
      forwarded: "for=6.6.6.6",
      "last-event-id": "7",
      range: "bytes=0-1",
      "if-none-match": "x",
      te: "trailers",
      "accept-language": "xx",
      "user-agent": "spy",
      referer: "https://shop.example/secret",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "x-anything": "else",
    },
  );
  const request = upstream.seen.find(({ method }) => method === "POST");
  expect(request?.headers).toEqual({
    host: upstream.channelUrl.slice("http://".length),
    connection: "keep-alive",
    accept: "application/json",
    "accept-encoding": "identity",
    authorization: `Bearer ${canaryKey}`,
    "content-type": "application/json",
    "content-length": "13",
    "idempotency-key": expect.stringMatching(/^[\w-]{43}$/),
    "user-agent": "shop-chat-bff",
  });
});

test("forwards no header of the Chat API to the browser", async () => {
  const hostile = {
    "set-cookie": "a=b",
    location: "https://evil.example",
    refresh: "0; url=https://evil.example",
    server: "upstream",
    "x-powered-by": "upstream",
    "ratelimit-limit": "60",
    "ratelimit-remaining": "1",
    "access-control-allow-origin": "*",
    "clear-site-data": '"*"',
    "content-encoding": "identity",
    link: "</x>; rel=preload",
    "x-request-id": "up_1",
    etag: "x",
  };
  upstream.respond("GET /chats/chat_0001/messages", 200, emptyPage, hostile);
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, response) => {
    response.writeHead(200, {
      ...hostile,
      "content-type": "image/png",
      "content-security-policy": "script-src *",
    });
    response.end("\x89PNG\r\n\x1a\n");
  });
  upstream.respond("GET /chats/chat_0001/collection", 404, errorBody("chat_not_found"), hostile);
  // The BFF refuses this request itself, so all headers are its own.
  const refusal = await browser.get("/api/chat/chats/short");
  const ours = new Set([...refusal.headers.keys(), "content-disposition"]);
  for (const path of ["messages", "files/file_0001", "collection"]) {
    const response = await browser.get(`/api/chat/chats/chat_0001/${path}`);
    expect(
      [...response.headers.keys()].filter((name) => !ours.has(name)),
      path,
    ).toEqual([]);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    await response.body?.cancel();
  }
});

test("treats a redirect as a contract breach and does not follow it", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [`${upstream.channelUrl}/elsewhere`, "https://evil.example/", "//evil.example"]) {
      upstream.on("POST /chats/chat_0001/handoff", (_, response) => {
        response.writeHead(status, { location });
        response.end();
      });
      upstream.seen.length = 0;
      const response = await browser.post("/api/chat/chats/chat_0001/handoff", { confirmationId: "c" });
      expect(response.status, `${status} ${location}`).toBe(502);
      expect(response.headers.has("location")).toBe(false);
      expect(upstream.seen.filter(({ url }) => url.includes("elsewhere"))).toEqual([]);
    }
  }
});

test("answers unknown paths with 404 in JSON", async () => {
  for (const path of [
    "/api",
    "/api/",
    "/api/chat",
    "/api/chat/",
    "/api/chat/nope",
    "/api/chats/chat_0001",
    "/api/chatter/session",
    "/api/chat/chats/chat_0001/nope",
    "/API/chat/session",
    "/api//chat/session",
    "/api/chat//session",
    "/api/chat/session/",
  ]) {
    const response = await browser.get(path);
    expect(response.status, path).toBe(404);
    expect(await codeOf(response)).toBe("not_found");
  }
});
