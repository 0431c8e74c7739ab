/**
 * A request that is cut off in its headers or body is a lost connection and gets no response. Node would
 * write a bare 400, which a client takes for a rejection: it would create a new idempotency key for a message
 * that may be stored.
 */
import type { Duplex } from "node:stream";

/** Node's error codes for a request that ended too early or arrived too slowly. */
const lost = ["HPE_INVALID_EOF_STATE", "ERR_HTTP_REQUEST_TIMEOUT"];

/** For a server's `clientError` event. Responds as Node does, except on lost or answered connections. */
export function answerUnreadable(error: Error, socket: Duplex & { bytesWritten?: number }): void {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (lost.includes(code) || !socket.writable || socket.bytesWritten !== 0) {
    socket.destroy();
    return;
  }
  const status = code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}
