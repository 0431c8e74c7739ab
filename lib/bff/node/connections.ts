/** Timeouts of an HTTP server's connections, and the responses to unreadable requests. */
import { createServer, type Server, type ServerOptions } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";
import type { ChatServer } from "../chat-server/chat-server.ts";
import { bffLimits } from "../configuration/limits.ts";
import { toNodeHandler } from "./node-handler.ts";

export type WebServer = Server | SecureServer;

export function guardConnections(server: WebServer): void {
  server.headersTimeout = bffLimits.headersTime;
  server.requestTimeout = bffLimits.requestTime;
  guardCutRequests(server);
}

/** Handles truncated and unreadable requests, unless the host has its own `clientError` listener. */
export function guardCutRequests(server: WebServer): void {
  if (server.listenerCount("clientError") === 0) server.on("clientError", answerUnreadable);
}

/** A server for the chat alone, not yet listening. */
export function createNodeServer(chat: ChatServer, options: ServerOptions = {}): Server {
  const server = createServer(options, toNodeHandler(chat));
  guardConnections(server);
  return server;
}

/** Node's error codes for a request that ended too early or arrived too slowly. */
const lost = ["HPE_INVALID_EOF_STATE", "ERR_HTTP_REQUEST_TIMEOUT"];

/**
 * The listener for a server's `clientError` event. A request that is cut off in its headers or body is a lost
 * connection and gets no response. Node would write a bare 400 or 408, which a client takes for a rejection:
 * it would create a new idempotency key for a message that may be stored. Other unreadable requests get the
 * response that Node would write.
 */
function answerUnreadable(error: Error, socket: Duplex & { bytesWritten?: number }): void {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (lost.includes(code) || !socket.writable || socket.bytesWritten !== 0) {
    socket.destroy();
    return;
  }
  const status = code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}
