/** Writes the pipeline's response to Node's `ServerResponse`. */
import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { bffLimits } from "../configuration/limits.ts";
import { type ChatResponse, isPushed, type PushedBody } from "../transport/chat-response.ts";
import { discardBody } from "./discard-body.ts";

/** Resolves when Node has accepted the whole body or the connection is closed. */
export async function writeResponse(
  { status, headers, body }: ChatResponse,
  outgoing: ServerResponse,
): Promise<void> {
  discardBody(outgoing.req);
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

function end(outgoing: ServerResponse, body?: string | Uint8Array): void {
  outgoing.end(body);
  if (outgoing.socket?.writableLength !== 0) dropStalledReader(outgoing);
}

/**
 * Disconnects a reader that reads nothing while bytes wait, because Node would keep its connection and the
 * bytes for ever.
 */
export function dropStalledReader(outgoing: ServerResponse): void {
  outgoing.setTimeout(bffLimits.readerStallTime, () => {
    if (outgoing.writableLength > 0) abort(outgoing);
  });
  // Node clears the timeout only on servers with a keep-alive timeout, and not between pipelined requests.
  outgoing.prependOnceListener("finish", () => outgoing.setTimeout(0));
}

function abort(outgoing: ServerResponse): void {
  resetConnection(outgoing);
  outgoing.destroy();
}

/**
 * Ends the connection with a reset, because after a FIN the kernel keeps the bytes that the reader has not
 * read for minutes. Node offers this for plain TCP alone.
 */
export function resetConnection({ socket, req }: ServerResponse): void {
  const isPlain = req.httpVersionMajor === 1 && socket !== null && !("encrypted" in socket);
  if (isPlain && socket.remoteFamily !== undefined) socket.resetAndDestroy();
}

/**
 * Lets the source write from the Chat API's socket to the browser's without a promise in between. Resolves
 * when the response is closed.
 */
export function writePushed(pushed: PushedBody, outgoing: ServerResponse): Promise<void> {
  // Sends the head at once, in one packet with what the source has.
  const { socket } = outgoing;
  socket?.cork();
  outgoing.flushHeaders();
  process.nextTick(() => socket?.uncork());
  const framed = framedSocket(outgoing);
  // Node emits `drain` on the response only after the response's own `write`, and on the socket after any
  // write.
  const source = framed ?? outgoing;
  const drained = () => pushed.drained();
  source.on("drain", drained);
  const closed = new Promise<void>((resolve) => {
    const close = () => {
      source.off("drain", drained);
      pushed.left();
      resolve();
    };
    if (outgoing.closed) close();
    else outgoing.once("close", close);
  });
  pushed.open({
    // If a host has ended the response, later bytes would become part of the next one.
    write(text) {
      if (outgoing.writableEnded) return false;
      return framed === null ? outgoing.write(text) : writeChunk(framed, text);
    },
    end: () => end(outgoing),
    destroy: () => abort(outgoing),
  });
  pushed.drained();
  return closed;
}

/**
 * The socket, if chunks can be written to it directly. Null if Node sends no chunks (HTTP/1.0, HTTP/2), if an
 * earlier pipelined response still has the socket, or if the host has replaced `write`.
 */
function framedSocket(outgoing: ServerResponse): Socket | null {
  const isPlain = outgoing.write === ServerResponse.prototype.write && outgoing.chunkedEncoding;
  return isPlain ? outgoing.socket : null;
}

/**
 * Writes a chunk (RFC 9112, section 7.1) at once. Node's own `write` splits it into size, line break, content
 * and line break, and sends the four with `writev` at the next tick, which is measurably slower (`npm run
 * bench -- streams`). All chunks take this path, because Node 26 keeps the bytes of its own `write` back.
 */
function writeChunk(socket: Socket, text: string): boolean {
  const bytes = Buffer.byteLength(text);
  // ASCII, the same bytes in both encodings, needs no conversion.
  const encoding = bytes === text.length ? "latin1" : "utf8";
  return socket.write(`${bytes.toString(16)}\r\n${text}\r\n`, encoding);
}

async function writeStream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  dropStalledReader(outgoing);
  const reader = body.getReader();
  // The response is abandoned, so a failed cancellation does not matter.
  const cancel = () => void reader.cancel().catch(() => undefined);
  outgoing.once("close", cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
    outgoing.end();
  } catch {
    // After a stalled reader or a truncated download, the part that was sent must not look complete.
    abort(outgoing);
  }
}

/** Resolves when more may be written, or when nothing more can be. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go).off("close", go);
      resolve();
    };
    outgoing.on("drain", go).on("close", go);
  });
}
