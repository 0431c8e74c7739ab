import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { endOf, exchangeBytes, serve } from "../../../testing/unit/serve.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { BodySink, ChatResponse } from "../transport/chat-response.ts";
import { writeResponse } from "./write-response.ts";

/** Serves this response after the host's `prepare`. `written` settles when the first `writeResponse` does. */
async function serving(
  body: ChatResponse["body"],
  prepare: (outgoing: ServerResponse) => void = () => undefined,
) {
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const server = createServer((_, outgoing: ServerResponse) => {
    prepare(outgoing);
    resolve(writeResponse({ status: 200, headers: { "Content-Type": "text/plain" }, body }, outgoing));
  });
  const port = await serve(server);
  return { server, port, written, address: `http://127.0.0.1:${port}/` };
}

test.each([
  ["text", "Größe 🚲"],
  ["bytes", new TextEncoder().encode("Größe 🚲")],
] as const)("sends the length in bytes for a response of %s", async (_, body) => {
  const { address } = await serving(body);
  const response = await fetch(address);
  expect(await response.text()).toBe("Größe 🚲");
  expect(response.headers.get("content-length")).toBe("12");
});

test("frees the bytes of a body that nobody has read", async () => {
  const { address, server } = await serving("Too many uploads");
  const pieces: Buffer[] = [];
  const ended = new Promise((resolve) => {
    server.on("request", (incoming) => {
      const push = incoming.push.bind(incoming);
      // Replaces `push`, because a listener would count as a reader.
      incoming.push = (piece) => {
        if (piece !== null) pieces.push(piece);
        return push(piece);
      };
      incoming.on("end", resolve);
    });
  });
  const response = await fetch(address, { method: "POST", body: new Uint8Array(1024 * 1024) });
  expect(await response.text()).toBe("Too many uploads");
  await ended;
  expect(pieces.length).toBeGreaterThan(0);
  expect(pieces.filter((piece) => piece.byteLength > 0)).toEqual([]);
});

test("leaves the body to a host that reads it or has set its encoding", async () => {
  const { address, server } = await serving("Too many uploads");
  const pieces: Buffer[] = [];
  const ended = new Promise((resolve) => {
    server.prependListener("request", (incoming) => {
      if (incoming.method === "POST") incoming.setEncoding("utf8");
      else incoming.on("data", (piece) => pieces.push(piece)).on("end", resolve);
    });
  });
  for (const method of ["POST", "PUT"]) {
    const response = await fetch(address, { method, body: new Uint8Array(1024 * 1024) });
    expect(await response.text()).toBe("Too many uploads");
  }
  await ended;
  expect(Buffer.concat(pieces)).toHaveLength(1024 * 1024);
});

test("ends a stream whose reader leaves while the socket is full", async () => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)) });
  const { port, written } = await serving(endless);
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n");
  await new Promise((resolve) => socket.once("readable", resolve));
  socket.destroy();
  await written;
});

/** A body source that the test writes to. */
function pushedBody() {
  const opened = Promise.withResolvers<BodySink>();
  const rooms: (() => void)[] = [];
  const left = Promise.withResolvers<void>();
  const body = {
    open: opened.resolve,
    drained: () => void rooms.shift()?.(),
    left: left.resolve,
  };
  const nextRoom = () => new Promise<void>((resolve) => void rooms.push(resolve));
  return { body, opened: opened.promise, nextRoom, left: left.promise };
}

const muchText = "x".repeat(32 * 1024 * 1024);

test.each(["text", "stream", "source that has ended"])(
  "drops a reader that reads nothing of a %s",
  async (kind) => {
    const pushed = pushedBody();
    const bodies: Record<string, ChatResponse["body"]> = {
      text: muchText,
      stream: new Blob([muchText]).stream(),
    };
    const connections: (Socket | null)[] = [];
    const { port } = await serving(
      bodies[kind] ?? pushed.body,
      ({ socket }) => void connections.push(socket),
    );
    const reader = connect(port, "127.0.0.1").pause();
    const ended = endOf(reader);
    reader.write("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n");
    if (bodies[kind] === undefined) {
      const sink = await pushed.opened;
      sink.write("first");
      sink.write(muchText);
      sink.end();
    }
    await expect.poll(() => connections[0]?.timeout).toBe(bffLimits.readerStallTime);
    connections[0]?.setTimeout(1);
    await expect.poll(() => connections[0]?.destroyed).toBe(true);
    reader.resume();
    // After a FIN, the kernel would keep the unread bytes for minutes.
    expect(await ended).toBe("ECONNRESET");
    expect(reader.bytesRead).toBeLessThan(muchText.length);
  },
);

test.each(["stream", "source"])("resets the connection of a %s that fails", async (kind) => {
  const pushed = pushedBody();
  let fail: (error: Error) => void = () => undefined;
  const failing = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(muchText));
      fail = (error) => controller.error(error);
    },
  });
  const { port } = await serving(kind === "stream" ? failing : pushed.body);
  const reader = connect(port, "127.0.0.1").pause();
  const ended = endOf(reader);
  reader.write("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n");
  await once(reader, "readable");
  if (kind === "source") {
    const sink = await pushed.opened;
    sink.write(muchText);
    fail = sink.destroy;
  }
  fail(new Error("The reader stalled"));
  reader.resume();
  expect(await ended).toBe("ECONNRESET");
});

test("restarts the timeout for the next request on a slow reader's connection", async () => {
  const connections: (Socket | null)[] = [];
  const { port, server } = await serving(muchText, ({ socket }) => void connections.push(socket));
  server.keepAliveTimeout = 0;
  const reader = connect(port, "127.0.0.1").pause();
  reader.write("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n");
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

test("sends the head before the pieces that a source writes in one tick", async () => {
  const pushed = pushedBody();
  const { port } = await serving(pushed.body);
  const received = exchangeBytes(port, "GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n");
  const sink = await pushed.opened;
  for (const piece of ["one", "two", "three"]) sink.write(piece);
  sink.end();
  expect(await received).toMatch(
    /^HTTP\/1\.1 200 OK\r\n.+\r\n\r\n3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n$/s,
  );
});

test("writes nothing after a response that the host has ended", async () => {
  const pushed = pushedBody();
  let response: ServerResponse | undefined;
  const { port } = await serving(pushed.body, (outgoing) => {
    response ??= outgoing;
  });
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (piece) => {
    text += piece.toString("latin1");
  });
  socket.write("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n");
  const sink = await pushed.opened;
  sink.write("first");
  response?.end();
  expect(sink.write("too late")).toBe(false);
  await pushed.left;
  await expect.poll(() => text).toContain("0\r\n\r\n");
  socket.destroy();
  expect(text).toMatch(/first\r\n0\r\n\r\n$/);
});

test("waits for drain when the host's own write returns false", async () => {
  const pushed = pushedBody();
  const { address } = await serving(pushed.body, (outgoing) => {
    const { write } = outgoing;
    // Behaves like compression middleware whose buffer is full.
    outgoing.write = (text: string) => {
      setImmediate(() => {
        write.call(outgoing, text, "utf8");
        outgoing.emit("drain");
      });
      return false;
    };
  });
  const response = fetch(address).then((response) => response.text());
  const sink = await pushed.opened;
  const room = pushed.nextRoom();
  expect(sink.write("first ")).toBe(false);
  await room;
  sink.write("second");
  await pushed.nextRoom();
  sink.end();
  expect(await response).toBe("first second");
});
