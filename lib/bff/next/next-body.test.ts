/** Bodies in a response that is piped as Next pipes it. */
import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listenLocally } from "../../../testing/local-server.ts";
import type { BodySink, PushedBody } from "../transport/chat-response.ts";
import { nextBody, offerTakeover } from "./next-body.ts";

/** A source that a test writes to. */
function aSource() {
  const opened = Promise.withResolvers<BodySink>();
  const left = Promise.withResolvers<void>();
  let sink: BodySink | undefined;
  const body: PushedBody = {
    open(next) {
      sink = next;
    },
    drained: () => sink && opened.resolve(sink),
    left: left.resolve,
  };
  return { body, opened: opened.promise, left: left.promise };
}

/** Next's destination of a body: head and chunks go to Node's response. */
function writerOf(outgoing: ServerResponse, chunks: Uint8Array[]) {
  return new WritableStream<Uint8Array>({
    async write(chunk) {
      if (chunk.byteLength > 0) chunks.push(chunk);
      outgoing.flushHeaders();
      outgoing.write(chunk);
    },
    close: () => void outgoing.end(),
  });
}

type Pipe = (body: ReadableStream<Uint8Array>, destination: WritableStream<Uint8Array>) => Promise<void>;

/** Serves the body. `chunks` are those that Next's destination received. */
async function serve(
  body: PushedBody | string,
  { guarded = true, pipe = pipeTo }: { guarded?: boolean; pipe?: Pipe },
) {
  const chunks: Uint8Array[] = [];
  const server = createServer((_, outgoing) => {
    if (guarded) offerTakeover(outgoing);
    const { body: stream } = new Response(nextBody(body));
    if (stream !== null) void pipe(stream, writerOf(outgoing, chunks));
  });
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { chunks, get: () => fetch(`http://127.0.0.1:${port}/`) };
}

const pipeTo: Pipe = (body, destination) => body.pipeTo(destination);

test("writes to Node's response without passing Next's stream", async () => {
  const { body, opened } = aSource();
  const { chunks, get } = await serve(body, {});
  const response = get();
  const sink = await opened;
  sink.write("Yes, ");
  sink.write("we do – gladly.");
  sink.end();
  expect(await (await response).text()).toBe("Yes, we do – gladly.");
  expect(chunks).toEqual([]);
});

test("passes every chunk through a stream that a host puts between", async () => {
  const { body, opened } = aSource();
  const upperCase = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) =>
      controller.enqueue(Buffer.from(Buffer.from(chunk).toString().toUpperCase())),
  });
  const { get } = await serve(body, {
    pipe: (stream, destination) => stream.pipeThrough(upperCase).pipeTo(destination),
  });
  const response = get();
  const sink = await opened;
  sink.write("quiet");
  sink.end();
  expect(await (await response).text()).toBe("QUIET");
});

test("passes every chunk to a destination other than the response", async () => {
  const { body, opened } = aSource();
  const received: Uint8Array[] = [];
  const { get } = await serve(body, {
    async pipe(stream, destination) {
      await stream.pipeTo(new WritableStream({ write: (chunk) => void received.push(chunk) }));
      await destination.close();
    },
  });
  const response = get();
  const sink = await opened;
  sink.write("for the host");
  sink.end();
  expect(await (await response).text()).toBe("");
  expect(Buffer.concat(received).toString()).toBe("for the host");
});

test("writes a whole body with its length", async () => {
  const { chunks, get } = await serve("Yes, we do – gladly.", {});
  const response = await get();
  expect(response.headers.get("content-length")).toBe("22");
  expect(await response.text()).toBe("Yes, we do – gladly.");
  expect(chunks).toEqual([]);
});

test("passes a whole body to Next without protectNextServer", async () => {
  const { get } = await serve("Yes, we do – gladly.", { guarded: false });
  expect(await (await get()).text()).toBe("Yes, we do – gladly.");
});

test("is piped by Next without protectNextServer", async () => {
  const { body, opened } = aSource();
  const { chunks, get } = await serve(body, { guarded: false });
  const response = get();
  const sink = await opened;
  sink.write("Yes");
  sink.end();
  expect(await (await response).text()).toBe("Yes");
  expect(chunks).toHaveLength(1);
});

test("tells the source that its reader has left", async () => {
  const { body, opened, left } = aSource();
  const { get } = await serve(body, {});
  const response = get();
  (await opened).write("Yes");
  await (await response).body?.cancel();
  await left;
});
