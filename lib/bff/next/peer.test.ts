/** The connection's address, through a real server and its sockets. */
import { createServer, request as send } from "node:http";
import { connect } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { expect, test } from "vitest";
import { serve } from "../../../testing/unit/serve.ts";
import { lostPeer } from "../limits/caller-address.ts";
import { toNextHandler } from "../next.ts";
import { hostilePeer, newGuest, ownBff } from "../testing/hostile-set-up.ts";
import { freshKey, pageHeaders, testOrigin } from "../testing/test-bff.ts";
import { peer, watchPeers } from "./peer.ts";

const { upstream, environment } = await hostilePeer();

function ask(port: number, localAddress: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "x-forwarded-for": "6.6.6.6" };
    send({ port, host: "127.0.0.1", localAddress, headers }, async (response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece);
      resolve(Buffer.concat(pieces).toString());
    })
      .on("error", reject)
      .end();
  });
}

test.each([
  [
    "a Node server",
    (text: () => Promise<string>) => createServer(async (_, response) => void response.end(await text())),
  ],
  [
    "a server with web-standard handlers",
    (text: () => Promise<string>) =>
      createAdaptorServer({ fetch: async () => new Response(await text()), overrideGlobalObjects: false }),
  ],
])("each concurrent request to %s has its own connection's address", async (_, create) => {
  watchPeers();
  // The requests wait for each other, so that all of them run at once.
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  // Every address of 127.0.0.0/8 is local on Linux; macOS has only the first.
  const addresses = process.platform === "linux" ? ["127.0.0.1", "127.0.0.2", "127.0.0.3"] : ["127.0.0.1"];
  const server = create(async () => {
    waiting += 1;
    if (waiting === addresses.length * 4) all.resolve();
    await all.promise;
    return String(peer()?.peerAddress);
  });
  const port = await serve(server);
  const seen = addresses.flatMap((address) => Array.from({ length: 4 }, () => address));
  expect(await Promise.all(seen.map((address) => ask(port, address)))).toEqual(seen);
});

test("has no address outside a request", () => {
  watchPeers();
  expect(peer()).toBeUndefined();
});

test("reports lostPeer for a connection that is reset before its request is read", async () => {
  watchPeers();
  const seen: (string | undefined)[] = [];
  const requests = 50;
  const all = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    seen.push(peer()?.peerAddress);
    response.end();
    if (seen.length === requests) all.resolve();
  });
  const port = await serve(server);
  for (let request = 0; request < requests; request += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n", () => socket.resetAndDestroy());
  }
  await all.promise;
  expect([...new Set(seen)].filter((address) => address !== "127.0.0.1")).toEqual([lostPeer]);
});

test("takes the request's own body if the host has read a copy of the request", async () => {
  watchPeers();
  const t = ownBff(environment);
  const guest = await newGuest(t);
  upstream.createsChats("chat_0001");
  const { POST } = toNextHandler(t.chat);
  const server = createAdaptorServer({
    async fetch(request) {
      await request.clone().text();
      return POST(request);
    },
    overrideGlobalObjects: false,
  });
  const headers = {
    ...pageHeaders,
    origin: testOrigin,
    cookie: guest.cookies(),
    "content-type": "application/json",
    "idempotency-key": freshKey(),
  };
  const address = `http://127.0.0.1:${await serve(server)}/api/chat/chats`;
  expect((await fetch(address, { method: "POST", headers, body: "{}" })).status).toBe(201);
});
