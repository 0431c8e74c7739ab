import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../../testing/unit/serve.ts";
import type { Exchange, HttpRequest } from "../../chat-client/exchange.ts";
import { createSender } from "./upstream-send.ts";

const address = (port: number, path: string, host = "127.0.0.1"): HttpRequest => ({
  address: `http://${host}:${port}${path}`,
  method: "GET",
  headers: {},
  body: undefined,
});

/** A server that answers every request, and what it has seen. */
async function aServer(answer: RequestListener = (_, response) => response.end("text")) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    answer(request, response);
  });
  const port = await serve(server);
  const { send, destroy } = createSender();
  onTestFinished(destroy);
  return { seen, request: (path: string) => address(port, path), send };
}

test("never sends a request that is aborted before it has a connection", async () => {
  const { seen, request, send } = await aServer();
  const abandoned = send(request("/abandoned"));
  abandoned.abort();
  await expect(abandoned.response).rejects.toThrow("given up");
  expect((await send(request("/next")).response).status).toBe(200);
  expect(seen).toEqual(["/next"]);
});

/** Reads the whole body, so that the connection can serve another request. */
async function complete({ response }: Exchange): Promise<number> {
  const received = await response;
  await new Promise<void>((end) => received.flow({ take: () => undefined, end: () => end() }));
  return received.status;
}

test("repeats a request at once on a new connection if the server closes the kept one", async () => {
  const served = new WeakSet<Socket>();
  // Like a server whose keep-alive timeout ends as the next request arrives.
  const { seen, request, send } = await aServer(({ socket }, response) => {
    if (served.has(socket)) socket.resetAndDestroy();
    else response.end("text");
    served.add(socket);
  });
  expect(await complete(send(request("/first")))).toBe(200);
  const paths = Array.from({ length: 12 }, (_, at) => `/${at}`);
  for (let turn = 0; turn < 3; turn += 1)
    expect(await Promise.all(paths.map((path) => complete(send(request(path)))))).toEqual(
      paths.map(() => 200),
    );
  expect(seen.length).toBeGreaterThan(3 * paths.length);
});

test("repeats a request once: a server that closes every connection is an error", async () => {
  const { seen, request, send } = await aServer(({ socket }) => void socket.resetAndDestroy());
  await expect(send(request("/")).response).rejects.toThrow();
  expect(seen).toHaveLength(2);
});

test("reaches a server on localhost that listens on IPv6 alone, or on IPv4 alone", async () => {
  for (const family of ["::1", "127.0.0.1"]) {
    const server = createServer((_, response) => response.end("text"));
    await new Promise<void>((resolve) => void server.listen(0, family, resolve));
    const { port } = server.address() as AddressInfo;
    const { send, destroy } = createSender();
    onTestFinished(async () => {
      await destroy();
      server.close();
    });
    expect(await complete(send(address(port, "/", "localhost"))), family).toBe(200);
  }
});
