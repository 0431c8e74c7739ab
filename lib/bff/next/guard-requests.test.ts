/** The checks before Next, in front of a plain server like Next's or Hono's. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer, request as sendSecurely } from "node:https";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { rawRequest } from "../../../testing/raw-request.ts";
import { endOf, exchangeBytes, serve } from "../../../testing/unit/serve.ts";
import { bffLimits } from "../configuration/limits.ts";
import { apiHeaders } from "../http/responses.ts";
import { toNodeHandler } from "../node/node-handler.ts";
import { hostilePeer, sharedBff } from "../testing/hostile-set-up.ts";
import { type GuardOptions, guardServer, guardServers } from "./guard-requests.ts";

const { environment } = await hostilePeer();
const t = sharedBff(environment);
const options: GuardOptions = {
  observer: t.bff,
  basePath: "/api/chat",
  coversPages: true,
  appOrigin: undefined,
};

interface Seen {
  url: string | undefined;
  headers: IncomingHttpHeaders;
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const asksBeforeUpgrade = major > 24 || (major === 24 && minor >= 9);

const plainly: RequestListener = (_, response) => response.end("ok");

async function served(listener: RequestListener = plainly, guard = guardServer) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url, headers: request.headers });
    listener(request, response);
  });
  guard(options, server);
  const port = await serve(server);
  return { server, port, seen, get: (path: string, headers = {}) => exchange(port, "GET", path, headers) };
}

/** Writes the request to a socket, because `fetch` cannot send every method and request target. */
async function exchange(port: number, method: string, path: string, headers: Record<string, string> = {}) {
  const all = { host: "shop.example", connection: "close", ...headers };
  const text = await exchangeBytes(port, rawRequest(method, path, all));
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [first = "", ...received] = head.split("\r\n");
  const pairs = received.map((line) => line.split(/:(.*)/, 2) as [string, string]);
  return { status: Number(first.split(" ")[1]), headers: new Headers(pairs), body };
}

/** For `guardServers`, which also guards the servers of later tests in this process. */
function untilTheEnd(): GuardOptions {
  const own = { ...options };
  onTestFinished(() => void Object.assign(own, { basePath: "/of/no/server", coversPages: false }));
  return own;
}

/** A host's server, whose pages the guard leaves alone. */
const host: GuardOptions = { ...options, coversPages: false };
const servedByHost = () => served(plainly, (_, server) => guardServer(host, server));

const codeOf = ({ body }: { body: string }): string => /"code":"(\w+)"/.exec(body)?.[1] ?? "";

test("rejects a query with too many parameters before Next reads it", async () => {
  const { get, seen } = await served();
  const query = (count: number) => `?${"a=1&".repeat(count).slice(0, -1)}`;
  for (const path of ["/", "/api/chat/health/live", "/icon.svg"]) {
    expect((await get(path + query(bffLimits.queryParameters))).status).toBe(200);
    const response = await get(path + query(bffLimits.queryParameters + 1));
    expect([response.status, codeOf(response)], path).toEqual([400, "invalid_request"]);
    expect((await get(`${path}?${"&".repeat(15_000)}`)).status).toBe(400);
    // A query may contain further question marks.
    for (const begin of ["??", "?a=b?", "?a?b?c"])
      expect((await get(path + begin + "&".repeat(300))).status, begin).toBe(400);
  }
  expect((await get(`/?cursor=${"a".repeat(15_000)}`)).status).toBe(200);
  expect(seen).toHaveLength(4);
});

test("rejects more cookies than browsers keep per site", async () => {
  const { get, seen } = await served();
  const cookies = (count: number) => ({
    cookie: Array.from({ length: count }, (_, at) => `c${at}=1`).join("; "),
  });
  expect((await get("/api/chat/session", cookies(bffLimits.cookies))).status).toBe(200);
  for (const count of [bffLimits.cookies + 1, 1_500]) {
    const response = await get("/api/chat/session", cookies(count));
    expect([response.status, codeOf(response)], `${count} cookies`).toEqual([400, "invalid_request"]);
  }
  expect((await get("/api/shop/session", cookies(1_500))).status).toBe(400);
  expect(seen).toHaveLength(1);
});

test("answers TRACE and methods of other protocols with 405, Allow and our headers", async () => {
  const { port, seen } = await served();
  for (const method of ["TRACE", "PROPFIND", "SEARCH"]) {
    const response = await exchange(port, method, "/", { cookie: "a=b" });
    expect([response.status, codeOf(response)]).toEqual([405, "method_not_allowed"]);
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    expect(Object.fromEntries(response.headers)).toMatchObject(
      Object.fromEntries(Object.entries(apiHeaders).map(([name, value]) => [name.toLowerCase(), value])),
    );
    expect(response.body).not.toContain("a=b");
    expect(t.lines.at(-1)).toMatchObject({ event: "request", route: "beforeNext", method, status: 405 });
  }
  expect(seen).toEqual([]);
});

test("answers 400 for undecodable paths, some of which Next answers with 500", async () => {
  const { get, seen } = await served();
  for (const path of ["/api/chat/chats/%ff", "/api/chat/chats/%", "/api/chat/%c3%28/x?y=1"]) {
    const response = await get(path);
    expect([response.status, codeOf(response)], path).toEqual([400, "invalid_id"]);
  }
  for (const path of ["/%ff", "/products/%ff", "/en/help/%c3%28"]) {
    const response = await get(path);
    expect([response.status, codeOf(response)], path).toEqual([400, "invalid_request"]);
  }
  expect(seen).toEqual([]);
  for (const path of ["/api/chat/chats/%41?x=%ff", "/products/%41?x=%ff"])
    expect((await get(path)).status, path).toBe(200);
});

test("rejects targets that are no path: Next redirects to their host or answers 500", async () => {
  const targets = ["*", "http://evil.example/", "http://evil.example/api/chat/session"];
  const { port, seen } = await served();
  for (const target of targets) {
    const response = await exchange(port, "OPTIONS", target);
    expect([response.status, codeOf(response)], target).toEqual([400, "invalid_request"]);
  }
  expect(seen).toEqual([]);
  // Without `coversPages`, the guard rejects only the chat's.
  const other = await servedByHost();
  for (const target of targets) await exchange(other.port, "OPTIONS", target);
  expect(other.seen.map(({ url }) => url)).toEqual(["*", "http://evil.example/"]);
});

/** Addresses of the chat that a host's rule or a proxy's for `/api/chat` does not match. */
const rewritten = [
  "/api\\chat/session",
  "/./api/chat/session",
  "/x/%2e%2e/api/chat/session",
  "/api/chat/./x",
  "/api/chat/x#y",
];

test("rejects a chat's path that a URL parser rewrites, in front of Next and of `direct`", async () => {
  const next = await servedByHost();
  const direct = await served(plainly, (_, server) =>
    guardServer({ ...host, direct: () => toNodeHandler(t.chat) }, server),
  );
  for (const path of rewritten) {
    for (const { get } of [next, direct]) {
      const response = await get(path);
      expect([response.status, codeOf(response)], path).toEqual([400, "invalid_request"]);
    }
  }
  expect([next.seen, direct.seen]).toEqual([[], []]);
  // The host's own paths are its own.
  expect((await next.get("/./products")).status).toBe(200);
});

test("cuts a long User-Agent, which Next searches in quadratic time", async () => {
  const long = { "user-agent": "Mozilla/5.0 ".padEnd(14_000, "a") };
  const lengths = (seen: readonly Seen[]) => seen.map(({ headers }) => headers["user-agent"]?.length);
  const paths = ["/api/chat", "/api/chat?a=b", "/api/chat/session", "/", "/help", "/icon.svg"];
  const { get, seen } = await served();
  for (const path of paths) expect((await get(path, long)).status, path).toBe(200);
  expect(lengths(seen)).toEqual(paths.map(() => bffLimits.userAgentLength));

  const other = await servedByHost();
  for (const path of paths) await other.get(path, long);
  const { userAgentLength: cut } = bffLimits;
  expect(lengths(other.seen)).toEqual([cut, cut, cut, 14_000, 14_000, 14_000]);
});

test("checks upgrade requests like others and closes the connection of a rejected one", async () => {
  const upgraded: (string | undefined)[] = [];
  const { port } = await served(plainly, (_, server) => {
    server.on("upgrade", ({ url }, socket) => {
      upgraded.push(url);
      socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    });
    guardServer(options, server);
  });
  const upgrade = (path: string) =>
    exchange(port, "GET", path, { connection: "Upgrade", upgrade: "websocket" });
  for (const path of ["/%ff", `/?${"&".repeat(300)}`, `/?a?${"&".repeat(300)}`])
    expect((await upgrade(path)).status, path).toBe(400);
  expect((await upgrade("/_next/hmr?id=1")).status).toBe(101);
  expect(upgraded).toEqual(["/_next/hmr?id=1"]);
});

test("closes the connection of an upgrade request that no listener answers", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const arrived = Promise.withResolvers<void>();
  const { port } = await served(plainly, (_, server) => {
    // Next does nothing with a request to a path that it does not know.
    server.on("upgrade", () => arrived.resolve());
    guardServer(options, server);
  });
  const response = exchange(port, "GET", "/no/such", { connection: "Upgrade", upgrade: "websocket" });
  await arrived.promise;
  vi.advanceTimersByTime(bffLimits.upgradeTime);
  expect((await response).body).toBe("");
});

test("frees the socket of a rejected upgrade request whose sender neither reads nor leaves", async () => {
  const { port, server } = await served(plainly, (_, guarded) => {
    guarded.on("upgrade", () => undefined);
    guardServer(options, guarded);
  });
  const accepted = once(server, "connection");
  const sender = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).pause();
  onTestFinished(() => void sender.destroy());
  sender.write(`${rawRequest("GET", "/%ff", { connection: "Upgrade", upgrade: "websocket" })}more`);
  const [connection] = await accepted;
  await once(connection, "close");
});

test.skipIf(!asksBeforeUpgrade)(
  "ignores the Upgrade header of chat requests, and of all requests if it names no WebSocket",
  async () => {
    const { port, seen } = await served(plainly, (_, server) => {
      server.on("upgrade", () => expect.unreachable("the chat never upgrades"));
      guardServer(options, server);
    });
    const headers = { connection: "Upgrade, close", upgrade: "h2c" };
    for (const path of ["/api/chat", "/api/chat/health/live"])
      expect((await exchange(port, "GET", path, headers)).body).toContain("ok");
    expect((await exchange(port, "GET", "/api/chat/chats/%ff", headers)).status).toBe(400);
    // Next upgrades to WebSockets alone.
    expect((await exchange(port, "GET", "/help", headers)).body).toContain("ok");
    expect(seen.map(({ url }) => url)).toEqual(["/api/chat", "/api/chat/health/live", "/help"]);
  },
);

test("removes headers that control Next's pages from chat requests only", async () => {
  const { get, seen } = await served();
  const steering = {
    rsc: "1",
    "next-router-prefetch": "1",
    "next-action": "0f".repeat(21),
    "next-url": "/x",
    "x-nextjs-data": "1",
    "x-middleware-subrequest": "proxy",
    "x-invoke-path": "/",
    "x-matched-path": "/",
  };
  await get("/api/chat/session", { ...steering, "next-router-state-tree": "bad", "x-chat-client": "1" });
  expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual(["connection", "host", "x-chat-client"]);
  await get("/help", steering);
  expect(seen[1]?.headers).toMatchObject(steering);
});

test("rejects router states that Next answers with 500 and accepts those of its pages", async () => {
  const { get, seen } = await served();
  const tree = ["", { children: ["help", { children: ["__PAGE__", {}] }, null, null, 16] }, null, "refetch"];
  const dynamic = ["", { children: [["id", "bike", "d", null], { children: ["__PAGE__", {}] }] }];
  const ask = (state: string) => get("/help", { rsc: "1", "next-router-state-tree": state });
  for (const state of [tree, dynamic])
    expect((await ask(encodeURIComponent(JSON.stringify(state)))).status).toBe(200);
  for (const state of [
    "bad",
    "%ff",
    "[]",
    "{}",
    "null",
    '["",[]]',
    '["",{"children":1}]',
    "[1,{}]",
    "[".repeat(9_000),
  ]) {
    const response = await ask(state);
    expect([response.status, codeOf(response)], state.slice(0, 30)).toEqual([400, "invalid_request"]);
  }
  expect(seen).toHaveLength(2);
});

test("rejects an action ID that Next would log, and accepts a well-formed one", async () => {
  const { get, seen } = await served();
  const ask = (id: string) => get("/help", { "next-action": id });
  expect((await ask("0f".repeat(21))).status).toBe(200);
  for (const id of ["", "x", "customer maya signed out", "g".repeat(42), "a".repeat(41), "a".repeat(43)]) {
    const response = await ask(id);
    expect([response.status, codeOf(response)], id).toEqual([400, "invalid_request"]);
  }
  expect(seen).toHaveLength(1);
});

test("leaves the headers of a host's pages alone unless coversPages is set", async () => {
  const { get } = await servedByHost();
  const page = await get("/");
  for (const name of Object.keys(apiHeaders)) expect(page.headers.get(name), name).toBeNull();
  const response = await get("/api/chat/session");
  expect(response.headers.get("content-security-policy")).toBe(apiHeaders["Content-Security-Policy"]);
});

test("leaves the requests to a host's pages alone unless coversPages is set", async () => {
  const { get, port, seen } = await servedByHost();
  const cookie = Array.from({ length: bffLimits.cookies + 1 }, (_, at) => `c${at}=1`).join("; ");
  for (const [path, headers] of [
    ["/", { "next-action": "an ID of another version of Next" }],
    ["/", { "next-router-state-tree": "another form" }],
    ["/", { cookie }],
    [`/?${"a=1&".repeat(bffLimits.queryParameters + 1)}`, {}],
    ["/%ff", {}],
  ] as const)
    expect((await get(path, headers)).status, path).toBe(200);
  expect((await exchange(port, "PROPFIND", "/")).status).toBe(200);
  expect(seen).toHaveLength(6);
  expect((await get("/api/chat/session", { cookie })).status).toBe(400);
  expect((await exchange(port, "TRACE", "/api/chat/session")).status).toBe(405);
});

test("leaves a host's timeouts and its responses to truncated requests alone", async () => {
  const own = () => undefined;
  const { server } = await served(plainly, (_, guarded) => {
    guarded.requestTimeout = 0;
    guarded.on("clientError", own);
    guardServer(host, guarded);
  });
  expect([server.headersTimeout, server.requestTimeout]).toEqual([60_000, 0]);
  expect(server.listeners("clientError")).toEqual([own]);
  const plain = await servedByHost();
  expect(plain.server.listenerCount("clientError")).toBe(1);
});

test("adds missing security headers to Next's own responses and keeps existing ones", async () => {
  const { get } = await served((request, response) => {
    if (request.url === "/api/chat/broken") {
      response.statusCode = 500;
      response.end("Internal Server Error");
    } else if (request.url === "/moved") response.writeHead(308, { location: "/" }).end();
    else if (request.url === "/api/chat/set") response.setHeader("content-security-policy", "own").end("{}");
    else if (request.url === "/api/chat/own")
      response.writeHead(200, { "content-security-policy": "own" }).end("{}");
    else if (request.url === "/page")
      response.setHeader("x-content-type-options", "nosniff").writeHead(404).end("<p>");
    else response.setHeader("content-type", "text/html; charset=utf-8").writeHead(404).end("<p>");
  });
  // `next.config` sets the pages' headers on all paths except the API's. Next matches that rule regardless of
  // case, so `/API` gets none from it either.
  for (const path of ["/api/chat/broken", "/moved", "/API/chat/page"]) {
    const { headers } = await get(path);
    expect(headers.get("content-security-policy"), path).toBe(apiHeaders["Content-Security-Policy"]);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
  }
  for (const path of ["/api/chat/own", "/api/chat/set"])
    expect((await get(path)).headers.get("content-security-policy"), path).toBe("own");
  expect((await get("/page")).headers.get("content-security-policy")).toBeNull();
});

test("passes other paths to Next when the chat's requests are answered directly", async () => {
  const direct: RequestListener = (_, response) => response.end("direct");
  let isLoaded = false;
  const ready: GuardOptions = { ...options, direct: () => (isLoaded ? direct : undefined) };
  const { get, seen } = await served(plainly, (_, server) => guardServer(ready, server));
  expect((await get("/api/chat/session")).body).toBe("ok");
  isLoaded = true;
  expect((await get("/api/chat/session")).body).toBe("direct");
  expect((await get("/api/chatter")).body).toBe("ok");
  expect(codeOf(await get("/api/chat/chats/%ff"))).toBe("invalid_id");
  expect(seen).toHaveLength(2);
});

test.each([
  ["Next", plainly],
  ["the chat's own handler", toNodeHandler(t.chat)],
])("disconnects the sender of an endless body that %s has not read", async (_, listener) => {
  const direct = () => (listener === plainly ? undefined : listener);
  const { port } = await served(listener, (_, server) => guardServer({ ...options, direct }, server));
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (piece) => {
    received += piece;
  });
  const head = { host: "shop.example", "content-length": String(Number.MAX_SAFE_INTEGER) };
  socket.write(rawRequest("POST", "/api/chat/session", head));
  const endless = function* () {
    for (;;) yield new Uint8Array(65_536);
  };
  // The sender sees EPIPE, ECONNRESET or no error, depending on whether unread bytes are in flight.
  const closed = new Promise((resolve) => socket.on("error", () => undefined).on("close", resolve));
  Readable.from(endless()).pipe(socket);
  await closed;
  expect(received).toMatch(/^HTTP\/1\.1 \d+/);
  expect(socket.bytesWritten).toBeLessThan(2 * bffLimits.lingerBytes);
});

test("disconnects a reader that reads nothing of what Next writes", async () => {
  const { port, server } = await served((_, response) => void response.write("x".repeat(32 * 1024 * 1024)));
  const accepted = once(server, "connection");
  const reader = connect(port, "127.0.0.1").pause();
  reader.write(rawRequest("GET", "/api/chat/chats/chat_0001/files/file_0001", { host: "shop.example" }));
  const [connection] = await accepted;
  await expect.poll(() => connection.timeout).toBe(bffLimits.readerStallTime);
  const ended = endOf(reader);
  connection.setTimeout(1);
  await once(connection, "close");
  reader.resume();
  // After a FIN, the kernel would keep the unread bytes for minutes.
  expect(await ended).toBe("ECONNRESET");
});

test("resets the connection if Next gives up a response", async () => {
  const responses: ServerResponse[] = [];
  const { port } = await served((_, response) => {
    responses.push(response);
    response.write("x".repeat(32 * 1024 * 1024));
  });
  const reader = connect(port, "127.0.0.1").pause();
  const ended = endOf(reader);
  reader.write(rawRequest("GET", "/api/chat/chats/chat_0001/files/file_0001", { host: "shop.example" }));
  await once(reader, "readable");
  responses[0]?.destroy(new Error("The download failed"));
  reader.resume();
  expect(await ended).toBe("ECONNRESET");
});

test.each([
  ["begins its response", (response: ServerResponse) => response.writeHead(202).flushHeaders()],
  ["answers", (response: ServerResponse) => response.end()],
])("leaves the body to a host's handler that %s before it reads", async (_, respond) => {
  const sentBytes = 3_000_000;
  const received = Promise.withResolvers<number>();
  const { port } = await served(async (request, response) => {
    respond(response);
    if (!response.writableEnded) await new Promise(setImmediate);
    let bytes = 0;
    for await (const piece of request) bytes += piece.length;
    received.resolve(bytes);
    response.end();
  });
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(
    rawRequest("POST", "/api/chat/host", { host: "shop.example", "content-length": `${sentBytes}` }),
  );
  socket.write("x".repeat(sentBytes));
  expect(await received.promise).toBe(sentBytes);
});

test("guards a server from its first connection", async () => {
  const { port, server, seen } = await served(plainly, () => guardServers(untilTheEnd()));
  for (let request = 0; request < 3; request += 1)
    expect((await exchange(port, "TRACE", "/")).status).toBe(405);
  expect(seen).toEqual([]);
  expect(server.listenerCount("request")).toBe(1);
  expect([server.headersTimeout, server.requestTimeout]).toEqual([15_000, 150_000]);
});

test("guards a server that speaks TLS", async () => {
  // A pre-shared key needs no certificate.
  const psk = randomBytes(32);
  const keyed = { ciphers: "PSK", maxVersion: "TLSv1.2" } as const;
  const server = createSecureServer({ ...keyed, pskCallback: () => psk }, plainly);
  guardServers(untilTheEnd());
  const port = await serve(server);
  const status = await new Promise((resolve, reject) => {
    const client = { ...keyed, pskCallback: () => ({ psk, identity: "test" }), agent: false };
    const request = sendSecurely(
      { ...client, port, path: "/%ff", checkServerIdentity: () => undefined },
      (response) => resolve(response.resume().statusCode),
    );
    request.on("error", reject).end();
  });
  expect(status).toBe(400);
});

test("leaves a host's own WebSocket server alone, on Next's server and on its own", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  guardServers(untilTheEnd());
  const web = createServer(plainly);
  const sockets = new WebSocketServer({ noServer: true });
  web.on("upgrade", (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) =>
      client.on("message", (data) => client.send(data)),
    );
  });
  for (const server of [web, createServer(plainly)]) {
    if (server !== web)
      new WebSocketServer({ server }).on("connection", (client) =>
        client.on("message", (data) => client.send(data)),
      );
    const client = new WebSocket(`ws://127.0.0.1:${await serve(server)}/live`);
    await once(client, "open");
    vi.advanceTimersByTime(2 * bffLimits.requestTime);
    client.send("still here");
    expect(String((await once(client, "message"))[0])).toBe("still here");
    client.terminate();
  }
});
