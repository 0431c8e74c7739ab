/**
 * The body of a turn stream under Next. Next pipes the body of a route's response into a web stream that
 * writes to Node's response, with several promises for each chunk, which cost more than the delta in it.
 * This stream writes to Node's response itself, as the chat does on its own sockets, if it is the response's
 * body as it is. To everybody else, such as a host that transforms the body, it is an ordinary stream.
 */
import type { ServerResponse } from "node:http";
import { writePushed } from "../node/write-response.ts";
import {
  type ChatResponse,
  isPushed,
  type PushedBody,
  sourceOf,
  unbuffered,
} from "../transport/chat-response.ts";

type Takeover = (outgoing: ServerResponse) => void;

/** On `globalThis`, because Next loads separate module instances for its instrumentation and its routes. */
const key = Symbol.for("shop-chat.takeovers");
const shared: typeof globalThis & { [key]?: WeakMap<object, Takeover> } = globalThis;

function takeovers(): WeakMap<object, Takeover> {
  shared[key] ??= new WeakMap();
  return shared[key];
}

/**
 * Passes Node's response to the stream whose empty first chunk is written to it. Until then it behaves as
 * Node's own, except that the head and the first chunk leave in one packet.
 */
export function offerTakeover(outgoing: ServerResponse): void {
  const original = outgoing.write;
  const write = original.bind(outgoing) as (...args: unknown[]) => boolean;
  const writeOrHandOver = (...args: unknown[]) => {
    const [chunk] = args;
    const takeOver = chunk instanceof Uint8Array ? takeovers().get(chunk) : undefined;
    if (takeOver === undefined) return write(...args);
    outgoing.write = original;
    takeOver(outgoing);
    return true;
  };
  outgoing.write = writeOrHandOver;
  const flushHeaders = outgoing.flushHeaders.bind(outgoing);
  const flushWithChunk = () => {
    const { socket } = outgoing;
    socket?.cork();
    flushHeaders();
    process.nextTick(() => socket?.uncork());
  };
  outgoing.flushHeaders = flushWithChunk;
}

class HandedOverStream extends ReadableStream<Uint8Array> {
  readonly #pushed: PushedBody;

  constructor(pushed: PushedBody) {
    super(sourceOf(pushed), unbuffered);
    this.#pushed = pushed;
  }

  /** Writes an empty chunk to find out whether the destination writes to Node's response. */
  override async pipeTo(destination: WritableStream<Uint8Array>, options?: StreamPipeOptions): Promise<void> {
    const probe = new Uint8Array();
    let outgoing: ServerResponse | undefined;
    takeovers().set(probe, (response) => {
      outgoing = response;
    });
    const writer = destination.getWriter();
    // If the destination has failed, the pipe fails with the same reason.
    await writer.write(probe).catch(() => undefined);
    writer.releaseLock();
    if (outgoing === undefined) return super.pipeTo(destination, options);
    await writePushed(this.#pushed, outgoing);
  }
}

/** A body as Next sends it fastest: Next pipes bytes of a stream's queue sooner than those of a text. */
export function nextBody(body: NonNullable<ChatResponse["body"]>): ReadableStream<Uint8Array> {
  if (body instanceof ReadableStream) return body;
  if (isPushed(body)) return new HandedOverStream(body);
  return new ReadableStream({
    start(controller) {
      controller.enqueue(typeof body === "string" ? Buffer.from(body) : body);
      controller.close();
    },
  });
}
