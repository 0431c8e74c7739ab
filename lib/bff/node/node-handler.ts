/** The chat server as a handler for Express, Connect, `node:http` and `node:http2`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ChatServer } from "../chat-server/chat-server.ts";
import type { ReceivedContext } from "../http/request-context.ts";
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
