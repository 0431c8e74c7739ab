/** Reads the body of a request of Node's HTTP server. */
import type { Incoming } from "./request-context.ts";

const consumed =
  "A body parser has read this request before the chat: mount toNodeHandler(chat) before express.json() and the like.";

/**
 * The body, read only as fast as it is consumed. Other than the stream that Node, Next and Hono make of it,
 * it has every byte of a body that has arrived whole, also when its connection was reset since.
 */
export function arrivingBody(incoming: Incoming): ReadableStream<Uint8Array> {
  if (incoming.readableDidRead) throw new Error(consumed);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const piece: Uint8Array | null = incoming.read();
          if (piece !== null) return controller.enqueue(piece);
          if (isRead(incoming)) return controller.close();
          if (incoming.destroyed) throw incoming.errored ?? new Error("The request was cut off");
          await nextEvent(incoming);
        }
      },
    },
    { highWaterMark: 0 },
  );
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
