/**
 * The request of Node's HTTP server behind one of Next's: its peer address and its body as it arrived. A
 * web-standard `Request` has no address, and Next does not pass it on: its `X-Forwarded-For` may be the
 * caller's own header. Node's HTTP server reports each request before it is handled; the request's
 * asynchronous context carries it into the route.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { lostPeer } from "../limits/caller-address.ts";

interface Peer {
  incoming: IncomingMessage;
  peerAddress: string;
}

/**
 * Kept on `globalThis`, because Next loads separate module instances for its instrumentation, which starts
 * this, and for its routes.
 */
const key = Symbol.for("shop-chat.peer");
const shared: typeof globalThis & { [key]?: AsyncLocalStorage<Peer> } = globalThis;

/** Starts to record the peers of all HTTP servers of this process. Called once, before the first request. */
export function watchPeers(): void {
  if (shared[key] !== undefined) return;
  const peers = new AsyncLocalStorage<Peer>();
  shared[key] = peers;
  // `enterWith` applies to the rest of the server's callback for this request, which also handles the
  // request.
  subscribe("http.server.request.start", (message) => {
    const { request: incoming } = message as { request: IncomingMessage };
    // A socket forgets its peer when it is closed.
    peers.enterWith({ incoming, peerAddress: incoming.socket.remoteAddress ?? lostPeer });
  });
}

/** Undefined outside a request, or if recording was not started. */
export function peer(): Peer | undefined {
  return shared[key]?.getStore();
}
