/** Discards the body of a request that is answered before anyone has read it. */
import type { IncomingMessage } from "node:http";
import { bffLimits } from "../configuration/limits.ts";

/**
 * Node would discard the body as well, but the garbage collector is slow to free memory outside its heap:
 * forty uploads, most of them rejected because no slot was free, held 40 MiB (`npm run bench --
 * many-uploads`). So this function frees each piece at once, unless the host or a route reads the body or
 * waits for its first byte. A body longer than `lingerBytes` ends the connection.
 */
export function discardBody(incoming: IncomingMessage): void {
  const { complete, readableFlowing, readableEncoding } = incoming;
  if (complete || readableFlowing !== null || readableEncoding !== null) return;
  let budget: number = bffLimits.lingerBytes;
  incoming.on("data", ({ buffer, byteLength }: Buffer<ArrayBuffer>) => {
    // A handler may still begin to read in the same turn of the event loop as its response.
    if (incoming.listenerCount("data") + incoming.listenerCount("readable") > 1) return;
    budget -= byteLength;
    if (budget < 0) incoming.destroy();
    // A smaller piece may share its memory with others.
    if (byteLength === buffer.byteLength) buffer.transfer(0);
  });
}
