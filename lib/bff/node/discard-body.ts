/** Discards the body of a request that is answered before anything of it was read. */
import type { IncomingMessage } from "node:http";

/**
 * Node would discard it too, but each piece would wait for the garbage collector, which does not hurry for
 * bytes outside its heap: forty uploads, most refused for want of a slot, kept 40 MiB of them (`npm run bench
 * -- many-uploads`). Nobody else has these pieces, so their memory is freed here.
 */
export function discardBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.readableDidRead) return;
  incoming.on("data", ({ buffer, byteLength }: Buffer<ArrayBuffer>) => {
    // A smaller piece may share its memory with others.
    if (byteLength === buffer.byteLength) buffer.transfer(0);
  });
}
