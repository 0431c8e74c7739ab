/** Serves the channel on a port. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { newId } from "../base/ids.ts";

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

export async function listen(
  fetch: (request: Request, bindings: HttpBindings) => Promise<Response>,
  at: { host: string; port: number },
): Promise<Listening> {
  const server = createAdaptorServer({
    // The server speaks HTTP/1.1 only, so the bindings are never those of HTTP/2.
    fetch: (request, bindings) => fetch(request, bindings as HttpBindings),
    // Otherwise the adapter replaces the platform's `Request` and `Response`.
    overrideGlobalObjects: false,
    serverOptions: { headersTimeout, requestTimeout, keepAliveTimeout },
  }) as Server;
  server.on("clientError", answerUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(at.port, at.host, () => {
      server.off("error", reject);
      resolve();
    });
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
 * request gets no answer: a 400 would be a final refusal, but an earlier attempt with the same key may have
 * been accepted. Nor does a request on a connection that has carried an answer: the error could end up inside
 * a response.
 */
function answerUnreadable(error: Error, socket: Duplex & { bytesWritten?: number }): void {
  const reason = "code" in error && typeof error.code === "string" ? error.code : "";
  if (!socket.writable || socket.bytesWritten !== 0 || lostRequest.includes(reason)) {
    socket.destroy();
    return;
  }
  const requestId = newId("req");
  const isTooLarge = reason === "HPE_HEADER_OVERFLOW";
  const message = isTooLarge ? "The request's headers are too large." : "The request could not be read.";
  const body = JSON.stringify(new ChatApiError("invalid_request", { message }).toBody(requestId));
  socket.end(
    [
      "HTTP/1.1 400 Bad Request",
      `${headerNames.requestId}: ${requestId}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
