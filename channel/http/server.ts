/** Serves the channel on a port. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { errorCode, StartError } from "../errors.ts";
import { portHolder } from "../holders.ts";
import { newId } from "../ids.ts";
import { errorResponse } from "./responses.ts";

export interface Listening {
  port: number;
  /** Stops accepting connections. Resolves when the open ones have ended or the grace period is over. */
  close(grace: number): Promise<void>;
}

/** Milliseconds for a client to send its headers, and the whole request. */
const headersTimeout = 10_000;
const requestTimeout = 60_000;
/**
 * Longer than the idle timeouts of load balancers and undici's pools, so that these close a connection first.
 */
const keepAliveTimeout = 75_000;

export interface Address {
  host: string;
  /** 0 for any free port. */
  port: number;
}

/** @throws StartError if the channel cannot listen there */
export async function requireAddress(at: Address): Promise<void> {
  const server = await listen(async () => new Response(null, { status: 503 }), at);
  await server.close(0);
}

/** @throws StartError if the channel cannot listen there */
export async function listen(
  handle: (request: Request, bindings: HttpBindings) => Promise<Response>,
  at: Address,
): Promise<Listening> {
  // The server speaks HTTP/1.1 only, so the bindings are never those of HTTP/2.
  const listener = getRequestListener((request, bindings) => handle(request, bindings as HttpBindings), {
    // Otherwise the adapter replaces the platform's `Request` and `Response`.
    overrideGlobalObjects: false,
    // A request without a URL: `Host` is missing or wrong, or the target is no path.
    errorHandler: () => unreadable("The request's target or its Host cannot be read."),
  });
  const timeouts = { headersTimeout, requestTimeout, keepAliveTimeout };
  // Node would answer a request without `Host`, or with an unknown `Expect`, without X-Request-Id.
  const server = createServer({ ...timeouts, requireHostHeader: false }, listener);
  server.on("checkExpectation", listener);
  server.on("clientError", answerUnreadable);
  server.listen(at.port, at.host);
  await once(server, "listening").catch((cause: Error) => {
    const isInUse = errorCode(cause) === "EADDRINUSE";
    const pid = isInUse ? portHolder(at.port) : undefined;
    const holder = pid === undefined ? "" : ` (perhaps process ${pid})`;
    const remedy = isInUse ? `Stop the program that uses the port${holder}, or set` : "Set";
    throw new StartError(`${cause.message}. ${remedy} CHANNEL_PORT or CHANNEL_HOST to another.`, { cause });
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close(grace) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Node's codes for a request that was truncated or took too long to arrive. */
const lostRequest = ["HPE_INVALID_EOF_STATE", "ERR_HTTP_REQUEST_TIMEOUT"];

/**
 * Answers requests that Node cannot parse in the Chat API's format and closes the connection. A truncated
 * request gets no response: a 400 would be a final refusal, but an earlier attempt with the same key may have
 * been accepted. Nor does a request on a connection that has carried one: the error could end up inside it.
 */
function answerUnreadable(error: Error, socket: Duplex & { bytesWritten?: number }): void {
  const reason = errorCode(error) ?? "";
  if (!socket.writable || socket.bytesWritten !== 0 || lostRequest.includes(reason)) {
    socket.destroy();
    return;
  }
  const isTooLarge = reason === "HPE_HEADER_OVERFLOW";
  const response = unreadable(
    isTooLarge ? "The request's headers are too large." : "The request could not be read.",
  );
  void response.text().then((body) => {
    const fields = { connection: "close", "content-length": `${Buffer.byteLength(body)}` };
    const headers = [...response.headers, ...Object.entries(fields)].map((field) => field.join(": "));
    socket.end(["HTTP/1.1 400 Bad Request", ...headers, "", body].join("\r\n"));
  });
}

function unreadable(message: string): Response {
  return errorResponse(new ChatApiError("invalid_request", { message }), newId("req"));
}
