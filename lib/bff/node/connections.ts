/** Timeouts of an HTTP server's connections, and the answers to unreadable requests. */
import { createServer, type Server, type ServerOptions } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { ChatServer } from "../chat-server/chat-server.ts";
import { bffLimits } from "../configuration/limits.ts";
import { answerUnreadable } from "./cut-requests.ts";
import { toNodeHandler } from "./node-handler.ts";

export type WebServer = Server | SecureServer;

export function guardConnections(server: WebServer): void {
  server.headersTimeout = bffLimits.headersTime;
  server.requestTimeout = bffLimits.requestTime;
  guardCutRequests(server);
}

/**
 * Handles cut and unreadable requests (`cut-requests.ts`), unless the host has a `clientError` listener of
 * its own.
 */
export function guardCutRequests(server: WebServer): void {
  if (server.listenerCount("clientError") === 0) server.on("clientError", answerUnreadable);
}

/** A server for the chat alone, not yet listening. */
export function createNodeServer(chat: ChatServer, options: ServerOptions = {}): Server {
  const server = createServer(options, toNodeHandler(chat));
  guardConnections(server);
  return server;
}
