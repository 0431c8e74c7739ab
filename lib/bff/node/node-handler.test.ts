/** The chat server behind Node's own HTTP, as Express and `node:http` mount it. */
import { createServer, type RequestListener } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { rawRequest } from "../../../testing/local-server.ts";
import { exchangeBytes, serve } from "../../../testing/unit/serve.ts";
import { aFile } from "../../chat-api/testing/builders.ts";
import { encodeTurnEvent } from "../../chat-api/turn-events.ts";
import { hostilePeer, ownBff, ownerOfChat, sharedBff } from "../testing/hostile-set-up.ts";
import { beginStream, json } from "../testing/hostile-upstream.ts";
import { freshKey, pageHeaders, testOrigin } from "../testing/test-bff.ts";
import { toNodeHandler } from "./node-handler.ts";
import { writeResponse } from "./write-response.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);

async function listening(listener: RequestListener = toNodeHandler(t.chat)): Promise<number> {
  const server = createServer(listener);
  return serve(server);
}

async function owner(): Promise<Record<string, string>> {
  return { ...pageHeaders, origin: testOrigin, cookie: (await ownerOfChat(t, upstream)).cookies() };
}

const messages = "/api/chat/chats/chat_0001/messages";

/**
 * Mounts a handler as Express does with `app.use(path, handler)`: `url` loses the path, `originalUrl` keeps
 * it.
 */
function mountedAt(path: string, handler: ReturnType<typeof toNodeHandler>): RequestListener {
  return (request, response) => {
    const { url = "/" } = request;
    Object.assign(request, { originalUrl: url, url: url.slice(path.length) || "/" });
    handler(request, response, () => response.writeHead(418).end("the host's"));
  };
}

test("passes requests and responses on completely: path, query, headers, cookies, body", async () => {
  upstream.on(`POST /chats/chat_0001/files`, ({ body }, response) =>
    json(response, 201, { item: aFile({ byteSize: body.length }) }),
  );
  const port = await listening();
  const form = new FormData();
  form.append("file", new File(["x".repeat(3_000_000)], "a.txt", { type: "text/plain" }));
  const stored = await fetch(`http://127.0.0.1:${port}/api/chat/chats/chat_0001/files`, {
    method: "POST",
    body: form,
    headers: { ...(await owner()), "idempotency-key": freshKey() },
  });
  expect(stored.status).toBe(201);
  expect((await stored.json()).item.byteSize).toBeGreaterThan(3_000_000);

  upstream.on("GET /chats/chat_0001/messages", ({ url }, response) => {
    expect(url).toContain("limit=7");
    json(response, 200, { items: [], nextCursor: null });
  });
  const listed = await fetch(`http://127.0.0.1:${port}${messages}?limit=7`, { headers: await owner() });
  expect(await listed.json()).toEqual({ items: [], nextCursor: null });
  const { origin: _, ...headers } = await owner();
  const guest = await fetch(`http://127.0.0.1:${port}/api/chat/session`, {
    method: "POST",
    body: "{}",
    headers: { ...headers, cookie: "", origin: testOrigin, "content-type": "application/json" },
  });
  expect(guest.status).toBe(201);
  expect(guest.headers.getSetCookie()).toHaveLength(1);
});

test("rejects a path that a URL parser rewrites, or leaves it to the host", async () => {
  const get = (port: number, path: string) =>
    exchangeBytes(port, rawRequest("GET", path, { host: "shop.example", connection: "close" }));
  const plain = await listening();
  const handler = toNodeHandler(t.chat);
  const mounted = await listening((request, response) =>
    handler(request, response, () => response.writeHead(418).end()),
  );
  // A host's `app.use("/api/chat", …)` and a proxy's rule for this path do not match the first three.
  const outside = ["/api\\chat/health/live", "/./api/chat/health/live", "/x/%2e%2e/api/chat/health/live"];
  const below = ["/api/chat/x/../health/live", "/api/chat/%2E/health/live", "/api/chat/health/live#x"];
  for (const path of [...outside, ...below]) {
    const response = await get(plain, path);
    expect([response.split(" ")[1], response.includes('"invalid_request"')], path).toEqual(["400", true]);
  }
  const statuses = async (paths: string[]) =>
    Promise.all(paths.map(async (path) => (await get(mounted, path)).split(" ")[1]));
  expect(await statuses(outside)).toEqual(["418", "418", "418"]);
  expect(await statuses(below)).toEqual(["400", "400", "400"]);
});

test("streams a reply: each event arrives before the next is written", async () => {
  const arrived = Promise.withResolvers<void>();
  upstream.on("POST /chats/chat_0001/messages", async (_, response) => {
    beginStream(response);
    await arrived.promise;
    response.end(encodeTurnEvent({ type: "delta", text: "Yes" }));
  });
  const port = await listening();
  const leaving = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}${messages}`, {
    method: "POST",
    body: '{"text":"hello"}',
    headers: {
      ...(await owner()),
      accept: "text/event-stream",
      "content-type": "application/json",
      "idempotency-key": freshKey(),
    },
    signal: leaving.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain("event: start");
  expect(t.bff.streams.size()).toBe(1);
  arrived.resolve();
  expect((await reader?.read())?.value).toContain('{"text":"Yes"}');
  // The stream's slot is free again when the browser has disconnected.
  leaving.abort();
  await expect.poll(() => t.bff.streams.size()).toBe(0);
});

/** Resolves with the count when it has stopped growing. */
async function stable(count: () => number): Promise<number> {
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = count() === before && before > 0;
        before = count();
        return isStill;
      },
      { interval: 200 },
    )
    .toBe(true);
  return count();
}

/** More than the socket buffers of both sides hold. */
const muchMemory = 64 * 1024 * 1024;
const piece = new Uint8Array(65_536);

test("pauses the source of a response that the browser does not read", async () => {
  let sentBytes = 0;
  const cancelled = Promise.withResolvers<void>();
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      sentBytes += piece.length;
      controller.enqueue(piece);
      await new Promise((resolve) => setImmediate(resolve));
    },
    cancel: () => cancelled.resolve(),
  });
  const port = await listening((_, response) => void writeResponse(new Response(endless), response));
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /api/chat/x HTTP/1.1\r\nHost: shop.example\r\n\r\n");
  expect(await stable(() => sentBytes)).toBeLessThan(muchMemory);
  socket.destroy();
  await cancelled.promise;
});

test("applies backpressure to the sender of a body that nobody reads", async () => {
  const headers = await owner();
  // The ownership check, which comes before the body, never resolves.
  upstream.on("GET /chats/chat_silent", () => undefined);
  const port = await listening();
  const socket = connect(port, "127.0.0.1");
  let sentBytes = 0;
  const more = () => {
    sentBytes += piece.length;
    if (sentBytes > 2 * muchMemory) return;
    if (socket.write(piece)) setImmediate(more);
    else socket.once("drain", more);
  };
  const length = { "content-length": `${4 * muchMemory}` };
  const sentHeaders = { host: "shop.example", ...headers, "idempotency-key": freshKey(), ...length };
  socket.write(rawRequest("POST", "/api/chat/chats/chat_silent/files", sentHeaders), more);
  expect(await stable(() => sentBytes)).toBeLessThan(muchMemory);
  socket.destroy();
});

test("answers 500 and logs an error when a body parser has read the request first", async () => {
  const handler = toNodeHandler(t.chat);
  const port = await listening(async (request, response) => {
    // Reads the body as `express.json()` does.
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    Object.assign(request, { body: JSON.parse(Buffer.concat(pieces).toString()) });
    handler(request, response);
  });
  const response = await fetch(`http://127.0.0.1:${port}/api/chat/session`, {
    method: "POST",
    body: "{}",
    headers: { ...(await owner()), "content-type": "application/json" },
  });
  expect(response.status).toBe(500);
  expect((await response.json()).error).toMatchObject({ code: "internal_error" });
  const errors = t.lines.filter(({ event }) => event === "unexpected_error");
  expect(JSON.stringify(errors)).toContain("before express.json()");
});

test("answers only its own paths as Express middleware", async () => {
  const handler = toNodeHandler(t.chat);
  const ports = [await listening(mountedAt("", handler)), await listening(mountedAt("/api/chat", handler))];
  for (const port of ports) {
    const live = await fetch(`http://127.0.0.1:${port}/api/chat/health/live`);
    expect([live.status, await live.json()]).toEqual([200, { status: "live" }]);
  }
  expect((await fetch(`http://127.0.0.1:${ports[0]}/api/chatter`)).status).toBe(418);
  // No handler of a host follows, so the chat answers 404 itself.
  expect((await fetch(`http://127.0.0.1:${await listening()}/elsewhere`)).status).toBe(404);
});

test("answers requests from which no platform Request can be created", async () => {
  const port = await listening();
  const ask = (line: string, headers = "Host: shop.example\r\n") =>
    exchangeBytes(port, `${line} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
  const traced = await ask("TRACE /api/chat/session");
  expect(traced).toMatch(/^HTTP\/1\.1 405 /);
  expect(traced.toLowerCase()).toContain("allow: post");
  expect(traced.toLowerCase()).toContain("content-security-policy: default-src 'none'");
  for (const target of ["http://[/x", "http://other.example/api/chat/health/live", "other.example", "*"])
    expect(await ask(`OPTIONS ${target}`), target).toMatch(/^HTTP\/1\.1 400 /);
  // `//x` is a path, not a host.
  for (const path of ["//evil.example/api/chat/health/live", "/x"])
    expect(await ask(`GET ${path}`), path).toMatch(/ 404 /);
});

test("answers 400 for a Host that is none (RFC 9110, section 7.2)", async () => {
  const port = await listening();
  const hosts = ["a b", "[", "evil.example:99999999", "x/y?z", "x/api/chat/health/live?", "x#", "x\\y"];
  for (const host of hosts) {
    const bytes = `GET /api/chat/health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect(await exchangeBytes(port, bytes), host).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test("gives customerOf an address at APP_ORIGIN, whatever the Host header contains", async () => {
  const urls: string[] = [];
  const own = ownBff(environment, {
    customerOf: ({ url }) => {
      urls.push(url);
      return null;
    },
  });
  const port = await listening(toNodeHandler(own.chat));
  const path = "/api/chat/chats/chat_0001?a=b";
  const headers = { ...pageHeaders, origin: testOrigin };
  for (const host of ["evil.example", "shop.example:81"]) {
    const head = rawRequest("GET", path, { ...headers, host, connection: "close" });
    expect(await exchangeBytes(port, head), host).toMatch(/ 401 /);
  }
  expect((await own.request(new Request(`http://evil.example${path}`, { headers }))).status).toBe(401);
  expect(urls).toEqual(Array.from({ length: 3 }, () => testOrigin + path));
  expect(own.lines.filter(({ level }) => level === "error")).toEqual([]);
});
