/**
 * Measures the JavaScript time of a delta from undici's callback to the browser's sink. Runs in one process
 * without sockets, so that the figure varies less than that of `npm run bench -- streams`. Compares few with
 * many open streams: the difference is the cost of cache misses. The caller's check and the sink do nothing.
 */
import { Dispatcher } from "undici";
import { TurnRelay } from "#lib/bff/relay/turn-relay.ts";
import { dispatch } from "#lib/bff/upstream/upstream-send.ts";
import { encodeTurnEvent, eventStreamType } from "#lib/chat-api/turn-events.ts";
import { createChatClient } from "#lib/chat-client/client.ts";
import { contractParser } from "#lib/chat-client/contract-parser.ts";
import { aStart } from "#lib/chat-client/testing/streams.ts";
import { median } from "./support/statistics.ts";

const counts = [10, 1_000, 4_000];
const deltas = 200_000;
const rounds = 5;
/** Number of deltas that arrive before pending microtasks run. */
const batch = 4;

const controller = {
  aborted: false,
  paused: false,
  reason: null,
  rawHeaders: null,
  rawTrailers: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
} satisfies Dispatcher.DispatchController;

/** Answers each request with a stream that `handlers` continue. */
class SilentUpstream extends Dispatcher {
  readonly handlers: Dispatcher.DispatchHandler[] = [];

  override dispatch(_: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.handlers.push(handler);
    handler.onRequestStart?.(controller, null);
    queueMicrotask(() =>
      handler.onResponseStart?.(controller, 201, { "content-type": eventStreamType }, "Created"),
    );
    return true;
  }
}

const ignore = () => undefined;

function openStream(upstream: SilentUpstream, index: number): TurnRelay {
  const client = createChatClient({
    url: () => "http://127.0.0.1/messages",
    headers: () => ({}),
    send: (request) => dispatch(upstream, request),
    parse: contractParser,
  });
  const upstreamAbort = new AbortController();
  const relay = new TurnRelay({
    requestId: "req_1",
    browser: new AbortController().signal,
    checkCaller: ignore,
    abortUpstream: () => upstreamAbort.abort(),
    onFault: console.error,
    onEnd: ignore,
  });
  relay.open({ write: () => true, end: ignore, destroy: ignore });
  relay.drained();
  const chatId = `chat_${String(index).padStart(8, "0")}`;
  const call = { idempotencyKey: `key_${chatId}`, signal: upstreamAbort.signal };
  client
    .streamMessage(chatId, { text: "Hello" }, call)
    .read((event) => relay.send(event))
    .catch(console.error);
  return relay;
}

/** Microseconds per delta. */
async function measure(streams: number): Promise<number> {
  const upstream = new SilentUpstream();
  const relays = Array.from({ length: streams }, (_, index) => openStream(upstream, index));
  while (upstream.handlers.length < streams) await new Promise(setImmediate);
  await new Promise(setImmediate);
  const send = (handler: Dispatcher.DispatchHandler, text: string) =>
    handler.onResponseData?.(controller, Buffer.from(text));
  for (const handler of upstream.handlers) send(handler, encodeTurnEvent(aStart()));
  const delta = encodeTurnEvent({ type: "delta", text: "a reply of two or three words " });
  const startedAt = performance.now();
  for (let sent = 0; sent < deltas; sent += 1) {
    const handler = upstream.handlers[sent % streams];
    if (handler !== undefined) send(handler, delta);
    if (sent % batch === 0) await null;
  }
  const time = performance.now() - startedAt;
  // Ends the streams, which would otherwise time out during a later measurement.
  for (const relay of relays) relay.left();
  return (time * 1_000) / deltas;
}

for (const count of counts) await measure(count);
const times = new Map(counts.map((count) => [count, [] as number[]]));
for (let round = 0; round < rounds; round += 1) {
  for (const [count, measured] of times) measured.push(await measure(count));
}
for (const [count, measured] of times) {
  console.log(`${String(count).padStart(5)} streams: ${median(measured).toFixed(2)} µs per delta`);
}
