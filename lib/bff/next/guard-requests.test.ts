/** The checks before Next, in front of a plain server like Next's or Hono's. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createSecureServer, request as sendSecurely } from "node:https";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { rawRequest } from "../../../testing/local-server.ts";
import { endOf, exchangeBytes, serve } from "../../../testing/unit/serve.ts";
import { bffLimits } from "../configuration/limits.ts";
import { apiHeaders } from "../http/responses.ts";
import { toNodeHandler } from "../node/node-handler.ts";
import { hostilePeer, sharedBff } from "../testing/hostile-set-up.ts";
import { type GuardOptions, guardServer, guardServers } from "./guard-requests.ts";

const { environment } = await hostilePeer();
const t = sharedBff(environment);
const options: GuardOptions = {
  observe: t.bff.observe,
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

/**
 * Options that end with the test: `guardServers` would also guard the servers of later tests in this process.
 */
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
  expect((await get("/account", cookies(1_500))).status).toBe(400);
  expect(seen).toHaveLength(1);
});

test("answers TRACE and methods of other protocols with 405, Allow and our headers", async () => {
  const { port, seen } = await served();
  for (const method of ["TRACE", "PROPFIND", "SEARCH"]) {
    const response = await exchange(port, method, "/api/chat/session", { cookie: "a=b" });
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

test("answers 400 for undecodable paths of the chat, some of which Next answers with 500", async () => {
  const { get, seen } = await served();
  for (const path of ["/api/chat/chats/%ff", "/api/chat/chats/%", "/api/chat/%c3%28/x?y=1"]) {
    const response = await get(path);
    expect([response.status, codeOf(response)], path).toEqual([400, "invalid_id"]);
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
  for (const path of [`/?${"&".repeat(300)}`, `/?a?${"&".repeat(300)}`])
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
  sender.write(
    `${rawRequest("GET", `/?${"&".repeat(300)}`, { connection: "Upgrade", upgrade: "websocket" })}more`,
  );
  const [connection] = await accepted;
  await once(connection, "close");
});

test.skipIf(!asksBeforeUpgrade)("ignores the Upgrade header of chat requests", async () => {
  const { port, seen } = await served(plainly, (_, server) => {
    server.on("upgrade", () => expect.unreachable("the chat never upgrades"));
    guardServer(options, server);
  });
  const headers = { connection: "Upgrade, close", upgrade: "h2c" };
  for (const path of ["/api/chat", "/api/chat/health/live"])
    expect((await exchange(port, "GET", path, headers)).body).toContain("ok");
  expect((await exchange(port, "GET", "/api/chat/chats/%ff", headers)).status).toBe(400);
  expect(seen.map(({ url }) => url)).toEqual(["/api/chat", "/api/chat/health/live"]);
});

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

test("leaves the requests to a host's pages alone unless coversPages is set", async () => {
  const { get, port, seen } = await servedByHost();
  const cookie = Array.from({ length: bffLimits.cookies + 1 }, (_, at) => `c${at}=1`).join("; ");
  for (const [path, headers] of [
    ["/", { cookie }],
    [`/?${"a=1&".repeat(bffLimits.queryParameters + 1)}`, {}],
    ["/%ff", {}],
  ] as const)
    expect((await get(path, headers)).status, path).toBe(200);
  expect((await exchange(port, "PROPFIND", "/")).status).toBe(200);
  expect(seen).toHaveLength(4);
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

test("guards a server from its first connection", async () => {
  const { port, server, seen } = await served(plainly, () => guardServers(untilTheEnd()));
  for (let request = 0; request < 3; request += 1)
    expect((await exchange(port, "TRACE", "/api/chat")).status).toBe(405);
  expect(seen).toEqual([]);
  expect(server.listenerCount("request")).toBe(1);
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
      { ...client, port, path: "/api/chat/%ff", checkServerIdentity: () => undefined },
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
