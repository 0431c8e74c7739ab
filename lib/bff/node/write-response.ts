/** Writes an answer to Node's own response. */
import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { bffLimits } from "../configuration/limits.ts";
import { type ChatResponse, isPushed, type PushedBody } from "../exchange/chat-response.ts";

/** Resolves when the answer has been written, or cannot be any more; at once for a turn stream. */
export async function writeResponse(
  { status, headers, body }: ChatResponse,
  outgoing: ServerResponse,
): Promise<void> {
  if (body === null) return end(outgoing.writeHead(status, headers));
  if (typeof body === "string" || body instanceof Uint8Array) {
    // Head and body in one write.
    outgoing.writeHead(status, { ...headers, "Content-Length": String(Buffer.byteLength(body)) });
    return end(outgoing, body);
  }
  outgoing.writeHead(status, headers);
  if (isPushed(body)) return writePushed(body, outgoing);
  await writeStream(body, outgoing);
}

/** Node would keep the connection, and what is not sent yet, for ever for a reader that does not read. */
function end(outgoing: ServerResponse, body?: string | Uint8Array): void {
  outgoing.end(body);
  if (outgoing.socket?.writableLength === 0) return;
  outgoing.setTimeout(bffLimits.readerStallTime, () => outgoing.destroy());
  // Node resets it only for a server with a keep-alive time, and not between pipelined requests.
  outgoing.prependOnceListener("finish", () => outgoing.setTimeout(0));
}

/** From the Chat API's socket to the browser's, without a promise between. */
function writePushed(pushed: PushedBody, outgoing: ServerResponse): void {
  const framed = framedSocket(outgoing);
  // Node tells the response of the room that its own `write` has asked for, and the socket of all.
  const source = framed ?? outgoing;
  source.on("drain", pushed.drained);
  outgoing.once("close", () => {
    source.off("drain", pushed.drained);
    pushed.left();
  });
  const write = framed === null ? (text: string) => outgoing.write(text) : createWrite(framed, outgoing);
  pushed.open({
    // A host may have ended the response, and later bytes would be the next one's.
    write: (text) => !outgoing.writableEnded && write(text),
    end: () => end(outgoing),
    destroy: () => void outgoing.destroy(),
  });
  pushed.drained();
}

/**
 * The socket for a body of unknown length. Null where Node does not frame it (HTTP/1.0, HTTP/2), where an
 * earlier answer has the socket, and where the host has put a `write` of its own in place.
 */
function framedSocket(outgoing: ServerResponse): Socket | null {
  const isPlain = outgoing.write === ServerResponse.prototype.write && outgoing.chunkedEncoding;
  return isPlain ? outgoing.socket : null;
}

/**
 * Writes a piece of a body of unknown length. Node's own `write` makes four pieces of each (size, line break,
 * content, line break) and a `writev` of them at the next tick; framed here (RFC 9112, section 7.1) it is one
 * write, at once, which shows in `npm run bench -- streams`.
 */
function createWrite(socket: Socket, outgoing: ServerResponse): (text: string) => boolean {
  // The head goes with the first piece.
  let begun = false;
  return (text) => {
    if (begun) return socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
    begun = true;
    return outgoing.write(text);
  };
}

async function writeStream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const left = () => void reader.cancel().catch(() => undefined);
  outgoing.once("close", left);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
    end(outgoing);
  } catch {
    // A reader that stalled, or a download that was cut: what has been sent must not look whole.
    outgoing.destroy();
  }
}

/** Resolves when more may be written, or nothing more can be. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go).off("close", go);
      resolve();
    };
    outgoing.on("drain", go).on("close", go);
  });
}
