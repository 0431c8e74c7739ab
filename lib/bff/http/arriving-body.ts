/** Reads the body of a request of Node's HTTP server. */
import type { Incoming } from "./request-context.ts";

const consumed =
  "A body parser has read this request before the chat: mount toNodeHandler(chat) before express.json() and the like.";

type Piece = ReadableStreamReadResult<Uint8Array>;

/** A body's pieces, read as they are needed. Only one that has not arrived is a promise. */
export interface BodyPieces {
  read(): Piece | Promise<Piece>;
}

/**
 * Other than the stream that Node, Next and Hono make of the body, it has every byte of one that has arrived
 * whole, also when its connection was reset since.
 */
export function arrivingBody(incoming: Incoming): BodyPieces {
  if (incoming.readableDidRead) throw new Error(consumed);
  const read = (): Piece | Promise<Piece> => {
    const value: Uint8Array | null = incoming.read();
    if (value !== null) return { done: false, value };
    if (isRead(incoming)) return { done: true, value: undefined };
    if (incoming.destroyed) throw incoming.errored ?? new Error("The request was cut off");
    return nextEvent(incoming).then(read);
  };
  return { read };
}

/**
 * True when the whole body has been read. For HTTP/1.1, `complete` is true before the `end` event; for HTTP/2
 * it is also true for a body that was cut off.
 */
function isRead({ readableEnded, complete, httpVersionMajor }: Incoming): boolean {
  return readableEnded || (complete && httpVersionMajor === 1);
}

const events = ["readable", "end", "error", "close"];

function nextEvent(incoming: Incoming): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      for (const event of events) incoming.off(event, wake);
      resolve();
    };
    for (const event of events) incoming.on(event, wake);
  });
}
