/** The channel on a port. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { newId } from "../ids.ts";

export interface Listening {
  port: number;
  /** Takes no new connections; resolves when the open ones have ended, or ends them after the grace. */
  close(grace: number): Promise<void>;
}

/** How long a client may take to send its headers, and a whole request. */
const headersTimeout = 10_000;
const requestTimeout = 60_000;
/** Above the usual idle time of load balancers and of undici's pools, so that they close first. */
const keepAliveTimeout = 75_000;

export async function listen(
  fetch: (request: Request, bindings: HttpBindings) => Promise<Response>,
  at: { host: string; port: number },
): Promise<Listening> {
  const server = createAdaptorServer({
    // Without HTTP/2, requests come over sockets of HTTP/1.1 only.
    fetch: (request, bindings) => fetch(request, bindings as HttpBindings),
    // The contract's own types of requests are those of the platform.
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

/** What Node cannot read as a request (or not in time) is answered in the Chat API's own form, and the connection ends. */
function answerUnreadable(error: Error, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newId("req");
  const reason = "code" in error && typeof error.code === "string" ? error.code : "";
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
