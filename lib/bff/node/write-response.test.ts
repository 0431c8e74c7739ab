import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  type Http2ServerResponse,
} from "node:http2";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { endOf, serve } from "../../../testing/unit/serve.ts";
import { bffLimits } from "../configuration/limits.ts";
import { dropStalledReader, writeResponse } from "./write-response.ts";

const request = "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n";

/** Serves this body. `written` settles when the first `writeResponse` does. */
async function serving(body: BodyInit, prepare: (outgoing: ServerResponse) => void = () => undefined) {
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const server = createServer((_, outgoing: ServerResponse) => {
    prepare(outgoing);
    dropStalledReader(outgoing);
    resolve(writeResponse(new Response(body), outgoing));
  });
  const port = await serve(server);
  return { server, port, written, address: `http://127.0.0.1:${port}/` };
}

test("ends a stream whose reader leaves while the socket is full", async () => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)) });
  const { port, written } = await serving(endless);
  const socket = connect(port, "127.0.0.1");
  socket.write(request);
  await new Promise((resolve) => socket.once("readable", resolve));
  socket.destroy();
  await written;
});

const muchText = "x".repeat(32 * 1024 * 1024);

test.each(["text", "stream"])("drops a reader that reads nothing of a %s", async (kind) => {
  const connections: (Socket | null)[] = [];
  const body = kind === "text" ? muchText : new Blob([muchText]).stream();
  const { port } = await serving(body, ({ socket }) => void connections.push(socket));
  const reader = connect(port, "127.0.0.1").pause();
  const ended = endOf(reader);
  reader.write(request);
  await expect.poll(() => connections[0]?.timeout).toBe(bffLimits.readerStallTime);
  connections[0]?.setTimeout(1);
  await expect.poll(() => connections[0]?.destroyed).toBe(true);
  reader.resume();
  // After a FIN, the kernel would keep the unread bytes for minutes.
  expect(await ended).toBe("ECONNRESET");
  expect(reader.bytesRead).toBeLessThan(muchText.length);
});

test("resets the connection of a stream that fails", async () => {
  let fail: (error: Error) => void = () => undefined;
  const failing = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from("first"));
      fail = (error) => controller.error(error);
    },
  });
  const { port } = await serving(failing);
  const reader = connect(port, "127.0.0.1");
  const ended = endOf(reader);
  reader.write(request);
  await once(reader, "readable");
  fail(new Error("The Chat API's response was cut off"));
  reader.resume();
  expect(await ended).toBe("ECONNRESET");
});

test("restarts the timeout for the next request on a slow reader's connection", async () => {
  const connections: (Socket | null)[] = [];
  const { port, server } = await serving(muchText, ({ socket }) => void connections.push(socket));
  server.keepAliveTimeout = 0;
  const reader = connect(port, "127.0.0.1").pause();
  reader.write(request);
  await expect.poll(() => connections[0]?.timeout).toBe(bffLimits.readerStallTime);
  reader.resume();
  await expect.poll(() => connections[0]?.timeout).toBe(0);
  expect(reader.destroyed).toBe(false);
  reader.destroy();
});

test("keeps the connection of a reader that has read everything", async () => {
  const connections: (Socket | null)[] = [];
  const { address } = await serving("short", ({ socket }) => void connections.push(socket));
  await (await fetch(address)).text();
  expect(connections[0]?.timeout).not.toBe(bffLimits.readerStallTime);
});

test.each(["HTTP/1.1", "HTTP/2"])(
  "cancels a %s response that begins after the browser has left",
  async (version) => {
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
    const { promise: written, resolve } = Promise.withResolvers<void>();
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.from("first")),
      cancel: () => cancel(),
    });
    const respond = async (_: unknown, outgoing: ServerResponse | Http2ServerResponse) => {
      await once(outgoing, "close");
      resolve(writeResponse(new Response(body), outgoing as ServerResponse));
    };
    if (version === "HTTP/2") {
      const server = createHttp2Server(respond);
      const session = connectHttp2(`http://127.0.0.1:${await serve(server)}`);
      const reader = session.request();
      await once(server, "request");
      reader.close();
      await Promise.all([written, cancelled]);
      session.destroy();
    } else {
      const server = createServer(respond);
      const reader = connect(await serve(server), "127.0.0.1");
      reader.write(request);
      await once(server, "request");
      reader.destroy();
      await Promise.all([written, cancelled]);
    }
  },
);

test("replaces headers that the host has set, except cookies and Vary", async () => {
  const server = createServer((_, outgoing: ServerResponse) => {
    outgoing.setHeader("X-Frame-Options", "SAMEORIGIN").setHeader("Set-Cookie", "host=1");
    outgoing.setHeader("Vary", "Origin");
    const headers: [string, string][] = [
      ["Vary", "Accept-Encoding"],
      ["X-Frame-Options", "DENY"],
      ["Set-Cookie", "chat=1"],
      ["Set-Cookie", "chat-last=2"],
    ];
    void writeResponse(new Response("{}", { headers }), outgoing);
  });
  const { headers } = await fetch(`http://127.0.0.1:${await serve(server)}/`);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("vary")).toBe("Origin, Accept-Encoding");
  expect(headers.getSetCookie()).toEqual(["host=1", "chat=1", "chat-last=2"]);
});
