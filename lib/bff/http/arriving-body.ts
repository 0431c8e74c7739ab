/** Reads the body of a request of Node's HTTP server. */
import type { Incoming } from "./request-context.ts";

const consumed =
  "A body parser has read this request before the chat: mount toNodeHandler(chat) before express.json() and the like.";

/** A body's pieces, read as they are needed. */
export type BodyPieces = Pick<ReadableStreamDefaultReader<Uint8Array>, "read">;

/**
 * Other than the stream that Node, Next and Hono make of the body, it has every byte of one that has arrived
 * whole, also when its connection was reset since.
 */
export function arrivingBody(incoming: Incoming): BodyPieces {
  if (incoming.readableDidRead) throw new Error(consumed);
  return {
    async read() {
      for (;;) {
        const value: Uint8Array | null = incoming.read();
        if (value !== null) return { done: false, value };
        if (isRead(incoming)) return { done: true, value: undefined };
        if (incoming.destroyed) throw incoming.errored ?? new Error("The request was cut off");
        await nextEvent(incoming);
      }
    },
  };
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
