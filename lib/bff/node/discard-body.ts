/** Discards the body of a request that is answered although nobody reads it. */
import type { IncomingMessage } from "node:http";
import { bffLimits } from "../configuration/limits.ts";

/**
 * Node would discard it as well, but each piece would wait for the garbage collector, which does not hurry
 * for bytes outside its heap: forty uploads, most refused for want of a slot, kept 40 MiB of them (`npm run
 * bench -- many-uploads`). So the memory is freed here, unless the host or a route reads the body, or waits
 * for its first byte. A longer body than `lingerBytes` ends the connection.
 */
export function discardBody(incoming: IncomingMessage): void {
  const { complete, readableFlowing, readableEncoding } = incoming;
  if (complete || readableFlowing !== null || readableEncoding !== null) return;
  let left: number = bffLimits.lingerBytes;
  incoming.on("data", ({ buffer, byteLength }: Buffer<ArrayBuffer>) => {
    // A handler may still begin to read in the event loop's turn of its answer.
    if (incoming.listenerCount("data") + incoming.listenerCount("readable") > 1) return;
    left -= byteLength;
    if (left < 0) incoming.destroy();
    // A smaller piece may share its memory with others.
    if (byteLength === buffer.byteLength) buffer.transfer(0);
  });
}
