/** The chat server as a handler for Express, Connect, `node:http` and `node:http2`, and as a server. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ChatServer } from "../chat-server/chat-server.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { ReceivedContext } from "../http/options.ts";
import { lostPeer } from "../limits/caller-address.ts";
import { dropStalledReader, writeResponse } from "./write-response.ts";

/** Calls `next`, if given, for paths outside the chat. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

export function toNodeHandler(chat: ChatServer): NodeHandler {
  const listener = getRequestListener(
    async (request, bindings) => {
      // The library's types tell HTTP/2 apart, whose requests and responses Node makes like these.
      const { incoming, outgoing } = bindings as HttpBindings;
      const peerAddress = incoming.socket.remoteAddress ?? lostPeer;
      const context: ReceivedContext = { peerAddress, target: incoming.url, incoming };
      // The library's own writer delays the first event of a stream by a timer and ends a response that fails
      // like one that is complete.
      await writeResponse(await chat.handle(request, context), outgoing);
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: false,
      autoCleanupIncoming: false,
      // A request without a URL, such as one with a wrong `Host`.
      errorHandler: () => chat.handle(new Request("http://localhost"), unreadable),
    },
  );
  return (incoming, outgoing, next) => {
    // Express removes the mount path from `url`.
    const { url = "/", originalUrl = url }: IncomingMessage & { originalUrl?: unknown } = incoming;
    const target = String(originalUrl);
    if (next !== undefined && !target.startsWith(`${chat.basePath}/`)) return next();
    incoming.url = target;
    dropStalledReader(outgoing);
    void listener(incoming, outgoing);
  };
}

const unreadable: ReceivedContext = { target: "" };

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
