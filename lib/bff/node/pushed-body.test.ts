import { createServer, type RequestListener } from "node:http";
import { expect, test } from "vitest";
import { exchangeBytes, serve } from "../../../testing/unit/serve.ts";
import type { BodySink, PushedBody } from "../transport/chat-response.ts";
import { writeResponse } from "./write-response.ts";

const texts = ["data: a\n\n", "data: 🚲 grün\n\n", `data: ${"x".repeat(5_000)}\n\n`, "data: end\n\n"];

/** A body that writes each text separately, then ends. */
function pushed(): PushedBody {
  let sink: BodySink | undefined;
  return {
    open(to) {
      sink = to;
      for (const text of texts) sink.write(text);
      sink.end();
    },
    drained: () => undefined,
    left: () => undefined,
  };
}

async function responseTo(listener: RequestListener, request: string): Promise<string> {
  return exchangeBytes(await serve(createServer(listener)), request);
}

const respond: RequestListener = (_, response) =>
  void writeResponse({ status: 200, headers: {}, body: pushed() }, response);

/** Decodes a body in chunked transfer coding. */
function joined(body: string): string {
  let [text, rest] = ["", Buffer.from(body)];
  for (;;) {
    const lineEnd = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.toString("latin1", 0, lineEnd), 16);
    if (size === 0) {
      expect(rest.toString()).toBe("0\r\n\r\n");
      return text;
    }
    text += rest.toString("utf8", lineEnd + 2, lineEnd + 2 + size);
    expect(rest.toString("latin1", lineEnd + 2 + size, lineEnd + 4 + size)).toBe("\r\n");
    rest = rest.subarray(lineEnd + 4 + size);
  }
}

const bodyOf = (whole: string) => whole.slice(whole.indexOf("\r\n\r\n") + 4);

test("sends each piece of a pushed body as a chunk with its size in bytes", async () => {
  const whole = await responseTo(respond, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(joined(bodyOf(whole))).toBe(texts.join(""));
});

test("sends no chunks to an HTTP/1.0 client", async () => {
  expect(bodyOf(await responseTo(respond, "GET / HTTP/1.0\r\n\r\n"))).toBe(texts.join(""));
});

test("sends a pipelined response complete and after the earlier one", async () => {
  const slow: RequestListener = (request, response) => {
    if (request.url === "/second") respond(request, response);
    else setImmediate(() => response.end("first"));
  };
  const whole = await responseTo(
    slow,
    "GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  );
  const [first = "", second = ""] = whole.split("HTTP/1.1 200 OK").slice(1);
  expect(bodyOf(first)).toBe("first");
  expect(joined(bodyOf(second))).toBe(texts.join(""));
});

test("passes every piece through a host's own write, such as that of compression", async () => {
  const seen: string[] = [];
  const whole = await responseTo((request, response) => {
    const write = response.write.bind(response) as (text: string) => boolean;
    response.write = (text: string) => {
      seen.push(text);
      return write(text);
    };
    respond(request, response);
  }, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(seen).toEqual(texts);
  expect(joined(bodyOf(whole))).toBe(texts.join(""));
});
