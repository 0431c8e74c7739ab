import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { BodySink, ChatResponse } from "../exchange/chat-response.ts";
import { writeResponse } from "./write-response.ts";

/** Serves this answer. `written` settles with the promise of the first writing. */
async function serving(body: ChatResponse["body"]) {
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const server = createServer((_, outgoing: ServerResponse) =>
    resolve(writeResponse({ status: 200, headers: { "Content-Type": "text/plain" }, body }, outgoing)),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, written, address: `http://127.0.0.1:${port}/` };
}

test.each([
  ["text", "Größe 🚲"],
  ["bytes", new TextEncoder().encode("Größe 🚲")],
] as const)("an answer of %s has its length in bytes", async (_, body) => {
  const { address } = await serving(body);
  const response = await fetch(address);
  expect(await response.text()).toBe("Größe 🚲");
  expect(response.headers.get("content-length")).toBe("12");
});

test("a stream whose reader leaves while it waits for room is over", async () => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)) });
  const { port, written } = await serving(endless);
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n");
  await new Promise((resolve) => socket.once("readable", resolve));
  socket.destroy();
  await written;
});

test("a source that writes by call hears that its reader has left", async () => {
  const left = Promise.withResolvers<void>();
  let sink: BodySink | undefined;
  const pushed = {
    open: (to: BodySink) => {
      sink = to;
    },
    drained: () => void sink?.write("first "),
    left: () => left.resolve(),
  };
  const { address } = await serving(pushed);
  const reader = (await fetch(address)).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first ");
  await reader?.cancel();
  await left.promise;
});
