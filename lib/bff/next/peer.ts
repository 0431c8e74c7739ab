/**
 * The peer address of a request's connection. A web-standard `Request` has none, and Next does not pass it
 * on: its `X-Forwarded-For` may be the caller's own header. Node's HTTP server reports the socket of each
 * request before it is handled; the request's asynchronous context carries it into the route.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { lostPeer } from "../limits/caller-address.ts";

/**
 * On `globalThis`, because Next loads separate module instances for its instrumentation, which starts this,
 * and for its routes.
 */
const key = Symbol.for("shop-chat.peer");
const shared: typeof globalThis & { [key]?: AsyncLocalStorage<string | undefined> } = globalThis;

/** Starts to record the peers of all HTTP servers of this process. Called once, before the first request. */
export function watchPeers(): void {
  if (shared[key] !== undefined) return;
  const peers = new AsyncLocalStorage<string | undefined>();
  shared[key] = peers;
  // `enterWith` applies to the rest of the server's callback for this request, which also handles the
  // request.
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    peers.enterWith(request.socket.remoteAddress ?? lostPeer);
  });
}

/** Undefined outside a request, or if recording was not started. */
export function peerAddress(): string | undefined {
  return shared[key]?.getStore();
}
