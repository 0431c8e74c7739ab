import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../../testing/unit/serve.ts";
import { IncomingRequest } from "./incoming-request.ts";

/**
 * Sends a request with these header lines. Returns the received request, its response and the caller's
 * socket.
 */
async function arrived(lines: readonly string[]) {
  const { promise, resolve } = Promise.withResolvers<[IncomingMessage, ServerResponse]>();
  const server = createServer((incoming, outgoing) => resolve([incoming, outgoing]));
  const caller = connect(await serve(server), "127.0.0.1");
  onTestFinished(() => void caller.destroy());
  caller.write(`GET /x HTTP/1.1\r\nHost: shop.example\r\n${lines.join("\r\n")}\r\n\r\n`);
  const [incoming, outgoing] = await promise;
  return {
    caller,
    outgoing,
    request: new IncomingRequest(new URL("http://shop.example/x"), incoming, outgoing),
  };
}

test("joins a repeated header with a comma, and repeated cookies with a semicolon", async () => {
  const { request } = await arrived(["Cookie: one=1", "cookie: two=2", "Accept: a/b", "ACCEPT: c/d"]);
  expect(request.headers.get("Cookie")).toBe("one=1; two=2");
  expect(request.headers.get("accept")).toBe("a/b, c/d");
  expect(request.headers.get("origin")).toBeNull();
});

test.each(["before", "after"] as const)(
  "aborts the signal when the caller leaves %s the first use of the signal",
  async (when) => {
    const { caller, outgoing, request } = await arrived([]);
    const early = when === "after" ? request.signal : undefined;
    caller.destroy();
    await once(outgoing, "close");
    expect(request.signal.aborted).toBe(true);
    expect(early ?? request.signal).toBe(request.signal);
  },
);

test("does not abort the signal of a caller who stays until the end", async () => {
  const { outgoing, request } = await arrived([]);
  const { signal } = request;
  outgoing.end("done");
  await once(outgoing, "close");
  expect(signal.aborted).toBe(false);
});
