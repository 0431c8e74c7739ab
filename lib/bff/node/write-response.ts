/** Writes a platform `Response` to Node's. */
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { bffLimits } from "../configuration/limits.ts";

/**
 * Resolves when Node has accepted the whole body or the connection is closed. A body that fails resets the
 * connection, so that the part that was sent does not look complete.
 */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const reader = response.body?.getReader();
  // The response is abandoned, so a failed cancellation does not matter.
  const cancel = () => void reader?.cancel().catch(() => undefined);
  if (isClosed(outgoing)) return cancel();
  outgoing.once("close", cancel);
  for (const [name, value] of response.headers) {
    // Any other header that the host has set, such as `X-Frame-Options`, would have two values.
    if (name === "set-cookie" || name === "vary") outgoing.appendHeader(name, value);
    else outgoing.setHeader(name, value);
  }
  outgoing.writeHead(response.status);
  try {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      if (!outgoing.write(piece.value)) await roomIn(outgoing);
      if (isClosed(outgoing)) return;
    }
    outgoing.end();
  } catch {
    reset(outgoing);
  }
}

/** True after `close`, which no later listener hears. A response of HTTP/2 shows it by its stream alone. */
function isClosed(outgoing: ServerResponse & { stream?: Duplex }): boolean {
  return outgoing.destroyed || outgoing.stream?.destroyed === true;
}

/** Resolves when more may be written, or when nothing more can be. */
function roomIn(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go).off("close", go);
      resolve();
    };
    outgoing.on("drain", go).on("close", go);
  });
}

/**
 * Disconnects a reader that reads nothing while bytes wait, because Node would keep its connection and the
 * bytes for ever.
 */
export function dropStalledReader(outgoing: ServerResponse): void {
  outgoing.setTimeout(bffLimits.readerStallTime, () => {
    if (outgoing.writableLength > 0) reset(outgoing);
  });
  // Node clears the timeout only on servers with a keep-alive timeout, and not between pipelined requests.
  outgoing.prependOnceListener("finish", () => outgoing.setTimeout(0));
}

/**
 * Ends the connection with a reset, because after a FIN the kernel keeps the bytes that the reader has not
 * read for minutes. Node offers this for plain TCP alone.
 */
function reset(outgoing: ServerResponse): void {
  const { socket, req } = outgoing;
  const isPlain = req.httpVersionMajor === 1 && socket !== null && !("encrypted" in socket);
  if (isPlain && socket.remoteFamily !== undefined) socket.resetAndDestroy();
  outgoing.destroy();
}
