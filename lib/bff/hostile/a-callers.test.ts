/** Hostile cases A, 13 to 29: other sites, other headers, other methods. (Those of Next's own server are in e2e/bff.) */
import { beforeEach, expect, test } from "vitest";
import { operationPath } from "#lib/chat-api/operations.ts";
import { apiPrefix, endpointPaths, endpoints } from "../endpoints.ts";
import { hostilePeer, maya, ownerOfChat, sharedBff } from "../testing/hostile-set-up.ts";
import { aChat, aMessage, errorBody, json } from "../testing/hostile-upstream.ts";
import { canaryKey, pageHeaders, type TestBrowser, testOrigin } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);
let browser: TestBrowser;
beforeEach(async () => {
  browser = await ownerOfChat(t, upstream);
});

/** A request with the victim's cookie and exactly these headers. */
function raw(
  path: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Response> {
  const init: RequestInit = { method, headers: { cookie: String(browser.cookie), ...headers } };
  return t.request(new Request(testOrigin + path, body === undefined ? init : { ...init, body }));
}

async function codeOf(response: Response): Promise<string> {
  return (await response.json()).error.code;
}

const jsonPost = { "content-type": "application/json", "idempotency-key": "key-12345" };
const send = operationPath("sendMessage", { chatId: "chat_0001" });

test("#13 a form of another site can post nothing, in any of the three encodings", async () => {
  const site = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    origin: "https://evil.example",
  };
  for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]) {
    const response = await raw(
      `${apiPrefix}${send}`,
      "POST",
      { ...site, "content-type": type },
      '{"text":"hi"}',
    );
    expect(response.status).toBe(403);
    expect(await codeOf(response)).toBe("request_not_allowed");
  }
  expect(upstream.seen).toEqual([]);
});

test("#14 #15 fetch from another origin, another site or a sister site is refused; no answer allows it", async () => {
  for (const site of ["cross-site", "same-site", "none"]) {
    for (const mode of ["cors", "no-cors", "navigate"]) {
      const headers = { ...jsonPost, "x-chat-client": "1", "sec-fetch-site": site, "sec-fetch-mode": mode };
      const response = await raw("/api/chats", "POST", headers, "{}");
      expect(response.status, `${site} ${mode}`).toBe(403);
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  }
  expect(upstream.seen).toEqual([]);
});

test("#16 an Origin that is not the shop's is refused, also beside a friendly Sec-Fetch-Site", async () => {
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
        "/api/chats",
        "POST",
        { ...jsonPost, ...site, "x-chat-client": "1", origin },
        "{}",
      );
      expect(response.status, origin).toBe(403);
      expect((await response.json()).error.message).toContain(testOrigin);
    }
  }
  const response = await raw(
    "/api/session",
    "POST",
    { ...jsonPost, "x-chat-client": "1", origin: testOrigin },
    "{}",
  );
  expect(response.status, "an old browser without Sec-Fetch-Site").toBe(200);
});

test("#17 a request that says neither where it comes from nor its origin is refused", async () => {
  for (const method of ["GET", "POST", "DELETE"]) {
    const response = await raw("/api/session", method, { "x-chat-client": "1" });
    expect(response.status, method).toBe(403);
  }
});

test("#18 without the custom header nothing is read or written, but a file", async () => {
  const { "x-chat-client": _, ...headers } = pageHeaders;
  for (const path of ["/api/session", "/api/chats/chat_0001", "/api/chats/chat_0001/messages"]) {
    expect((await raw(path, "GET", headers)).status, path).toBe(403);
  }
  expect((await raw("/api/chats", "POST", { ...headers, ...jsonPost }, "{}")).status).toBe(403);
  expect(upstream.seen).toEqual([]);
});

test("#18 #29 every method that a path does not have answers 405 with Allow, changes nothing and starts no session", async () => {
  for (const path of endpointPaths) {
    const allowed = endpoints[path].map(({ method }) => method as string);
    const at = `/api${path.replace("{chatId}", "chat_0001").replace("{fileId}", "file_0001")}`;
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

test("#19 a file can be fetched by the shop's pages and by hand, never by another site", async () => {
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, answer) => {
    answer.writeHead(200, { "content-type": "text/plain" });
    answer.end("text");
  });
  const path = "/api/chats/chat_0001/files/file_0001";
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

test("#21 the Chat API gets exactly our headers, whatever the browser sends", async () => {
  upstream.on("POST /chats/chat_0001/messages", (_, answer) =>
    json(answer, 201, { item: { message: aMessage(), reply: null, chat: aChat(maya) } }),
  );
  await browser.post(
    "/api/chats/chat_0001/messages",
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
  const sent = upstream.seen.find(({ method }) => method === "POST");
  expect(sent?.headers).toEqual({
    host: upstream.baseUrl.slice("http://".length),
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

test("#22 no header of the Chat API's reaches the browser", async () => {
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
  upstream.on("GET /chats/chat_0001/messages", (_, answer) =>
    json(answer, 200, { items: [], nextCursor: null }, hostile),
  );
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, answer) => {
    answer.writeHead(200, {
      ...hostile,
      "content-type": "image/png",
      "content-security-policy": "script-src *",
    });
    answer.end("\x89PNG\r\n\x1a\n");
  });
  upstream.on("GET /chats/chat_0001/collection", (_, answer) =>
    json(answer, 404, errorBody("chat_not_found"), hostile),
  );
  for (const path of ["messages", "files/file_0001", "collection"]) {
    const response = await browser.get(`/api/chats/chat_0001/${path}`);
    const ours = new Set([
      "cache-control",
      "content-disposition",
      "content-security-policy",
      "content-type",
      "cross-origin-opener-policy",
      "cross-origin-resource-policy",
      "permissions-policy",
      "referrer-policy",
      "strict-transport-security",
      "x-content-type-options",
      "x-frame-options",
      "x-request-id",
    ]);
    expect(
      [...response.headers.keys()].filter((name) => !ours.has(name)),
      path,
    ).toEqual([]);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    await response.body?.cancel();
  }
});

test("#23 a redirect is a fault and is not followed, to the same host or another", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [`${upstream.baseUrl}/elsewhere`, "https://evil.example/", "//evil.example"]) {
      upstream.on("POST /chats/chat_0001/handoff", (_, answer) => {
        answer.writeHead(status, { location });
        answer.end();
      });
      upstream.seen.length = 0;
      const response = await browser.post("/api/chats/chat_0001/handoff", { confirmationId: "c" });
      expect(response.status, `${status} ${location}`).toBe(502);
      expect(response.headers.has("location")).toBe(false);
      expect(upstream.seen.filter(({ url }) => url.includes("elsewhere"))).toEqual([]);
    }
  }
});

test("#24 what a request says about host and scheme is in no answer", async () => {
  const evil = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    forwarded: "host=evil.example",
    "x-forwarded-proto": "gopher",
  };
  for (const path of ["/api/session", "/api/chats/chat_0001", "/api/nowhere", "/api/health/ready"]) {
    const response = await browser.get(path, evil);
    const text = `${JSON.stringify([...response.headers])} ${await response.text()}`;
    expect(text, path).not.toMatch(/evil|gopher/);
  }
});

test("unknown paths below /api are 404 in JSON, whatever their method", async () => {
  for (const path of [
    "/api",
    "/api/",
    "/api/nope",
    "/api/chats/chat_0001/nope",
    "/API/session",
    "/api//session",
    "/api/session/",
  ]) {
    const response = await browser.get(path);
    expect(response.status, path).toBe(404);
    expect(await codeOf(response)).toBe("not_found");
  }
});
