import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { serve } from "../../../testing/unit/serve.ts";
import type { AttemptInit } from "../../chat-client/client.ts";
import { createTransport } from "./undici-fetch.ts";

const init: AttemptInit = { method: "GET", headers: {}, body: null };

/** A server that answers every request, and what it has seen. */
async function aServer(answer: RequestListener = (_, response) => response.end("text")) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    answer(request, response);
  });
  const port = await serve(server);
  const { fetch, destroy } = createTransport();
  onTestFinished(destroy);
  const get = async (path: string, signal: AbortSignal | null = null) => {
    const { body } = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, signal });
    const reader = body?.getReader();
    let text = "";
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
      text += Buffer.from(piece.value).toString();
    return text;
  };
  return { seen, get };
}

test("never sends a request that is aborted before it has a connection", async () => {
  const { seen, get } = await aServer();
  await expect(get("/abandoned", AbortSignal.abort())).rejects.toThrow("given up");
  expect(await get("/next")).toBe("text");
  expect(seen).toEqual(["/next"]);
});

test("repeats a request at once on a new connection if the server closes the kept one", async () => {
  const served = new WeakSet<Socket>();
  // Like a server whose keep-alive timeout ends as the next request arrives.
  const { seen, get } = await aServer(({ socket }, response) => {
    if (served.has(socket)) socket.resetAndDestroy();
    else response.end("text");
    served.add(socket);
  });
  expect(await get("/first")).toBe("text");
  const paths = Array.from({ length: 12 }, (_, at) => `/${at}`);
  for (let turn = 0; turn < 3; turn += 1)
    expect(await Promise.all(paths.map((path) => get(path)))).toEqual(paths.map(() => "text"));
  expect(seen.length).toBeGreaterThan(3 * paths.length);
});

test("repeats a request once: a server that closes every connection is an error", async () => {
  const { seen, get } = await aServer(({ socket }) => void socket.resetAndDestroy());
  await expect(get("/")).rejects.toThrow();
  expect(seen).toHaveLength(2);
});

test("pauses the connection of a body that nobody reads, and closes it when the body is cancelled", async () => {
  let written = 0;
  const closed = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    const more = () => {
      for (let room = true; room; written += 65_536) room = response.write(new Uint8Array(65_536));
    };
    response.on("drain", more).on("close", () => closed.resolve());
    more();
  });
  const port = await serve(server);
  const { fetch, destroy } = createTransport();
  onTestFinished(destroy);
  const { body } = await fetch(`http://127.0.0.1:${port}/`, init);
  const reader = body?.getReader();
  await reader?.read();
  let before = -1;
  const isStill = () => {
    const is = written === before;
    before = written;
    return is;
  };
  await expect.poll(isStill, { interval: 200 }).toBe(true);
  expect(written).toBeLessThan(64 * 1024 * 1024);
  await reader?.cancel();
  await closed.promise;
});

test("uses the runtime's own fetch where undici has no dispatcher, as on Bun", async () => {
  vi.doMock("undici", () => ({ Agent: class {} }));
  onTestFinished(() => vi.doUnmock("undici"));
  const { seen, get } = await aServer();
  expect(await get("/by-fetch")).toBe("text");
  expect(seen).toEqual(["/by-fetch"]);
});

test("reaches a server on localhost that listens on IPv6 alone, or on IPv4 alone", async () => {
  for (const family of ["::1", "127.0.0.1"]) {
    const server = createServer((_, response) => response.end("text"));
    await new Promise<void>((resolve) => void server.listen(0, family, resolve));
    const { port } = server.address() as AddressInfo;
    const { fetch, destroy } = createTransport();
    onTestFinished(async () => {
      await destroy();
      server.close();
    });
    expect((await fetch(`http://localhost:${port}/`, init)).status, family).toBe(200);
  }
});
