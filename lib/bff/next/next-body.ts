/**
 * Bodies under Next. Next pipes the body of a route's response into a web stream that writes to Node's
 * response, with several promises for each chunk: that costs more than the delta in it, and more than the
 * rest of a read. These streams write to Node's response themselves, as the chat does on its own sockets, if
 * they are the response's body as it is. To everybody else, such as a host that transforms the body, they are
 * ordinary streams.
 */
import type { ServerResponse } from "node:http";
import { writePushed } from "../node/write-response.ts";
import { type ChatResponse, isPushed, sourceOf, unbuffered } from "../transport/chat-response.ts";

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
 * Node's own, except that the head leaves with the first chunk.
 */
export function offerTakeover(outgoing: ServerResponse): void {
  const { write, flushHeaders } = outgoing;
  const first = (...args: unknown[]) => {
    const [chunk] = args;
    Object.assign(outgoing, { write, flushHeaders });
    const takeOver = chunk instanceof Uint8Array ? takeovers().get(chunk) : undefined;
    if (takeOver === undefined) return (write as (...args: unknown[]) => boolean).apply(outgoing, args);
    takeOver(outgoing);
    return true;
  };
  Object.assign(outgoing, { write: first, flushHeaders: () => undefined });
}

/** Writes a body to Node's response. Resolves when Next may forget the response. */
type Send = (outgoing: ServerResponse) => Promise<void> | void;

class HandedOverStream extends ReadableStream<Uint8Array> {
  readonly #send: Send;

  constructor(source: UnderlyingDefaultSource<Uint8Array>, send: Send) {
    super(source, unbuffered);
    this.#send = send;
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
    await this.#send(outgoing);
  }
}

/** Head and body in one write. */
function sendWhole(body: string | Uint8Array, outgoing: ServerResponse): void {
  // Middleware of the host may have written the head.
  if (!outgoing.headersSent) outgoing.setHeader("Content-Length", Buffer.byteLength(body));
  outgoing.end(body);
}

/** A body as Next sends it fastest. */
export function nextBody(body: NonNullable<ChatResponse["body"]>): ReadableStream<Uint8Array> {
  if (body instanceof ReadableStream) return body;
  if (isPushed(body)) return new HandedOverStream(sourceOf(body), (outgoing) => writePushed(body, outgoing));
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull(controller) {
      controller.enqueue(typeof body === "string" ? Buffer.from(body) : body);
      controller.close();
    },
  };
  return new HandedOverStream(source, (outgoing) => sendWhole(body, outgoing));
}
