/** Serves the channel on a port. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { waits } from "../channel-limits.ts";
import { errorCode } from "../error-code.ts";
import { newId } from "../ids.ts";
import { retried } from "../retry.ts";
import { StartError } from "../start-error.ts";
import { portHolder } from "./port-holder.ts";
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

/**
 * Resolves when the port is free. Waits if its server is a channel that stops, and rejects with a remedy if
 * it is another.
 */
export async function waitForPort(at: Address): Promise<void> {
  const server = createServer();
  await bind(server, at);
  await new Promise((resolve) => server.close(resolve));
}

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
  await bind(server, at);
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

async function bind(server: Server, at: Address): Promise<void> {
  const begin = async () => {
    server.listen(at.port, at.host);
    // Rejects with the server's error.
    await once(server, "listening");
  };
  await retried(begin, {
    isTemporary: async (error) => isInUse(error) && (await isStopping(at)),
    within: waits.predecessor,
    interval: waits.startRetry,
  }).catch(async (error: unknown) => {
    if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(errorCode(error) ?? ""))
      throw new StartError(
        `This machine has no address ${at.host}. Set CHANNEL_HOST to one of its own: 127.0.0.1, or 0.0.0.0 for all.`,
      );
    if (!isInUse(error)) throw error;
    const user = (await healthOf(at))?.headers.has(headerNames.requestId)
      ? "another channel"
      : "another program";
    const pid = portHolder(at.port);
    throw new StartError(
      `Port ${at.port} is in use by ${user}${pid === undefined ? "" : ` (perhaps process ${pid})`}. Stop it, or set CHANNEL_PORT to another port.`,
    );
  });
}

const isInUse = (error: unknown) => errorCode(error) === "EADDRINUSE";

/** Whether the server at the address is about to leave it: `/healthz` answers 503, or nothing any more. */
async function isStopping(at: Address): Promise<boolean> {
  const response = await healthOf(at);
  return response === undefined || response.status === 503;
}

/** The response of `/healthz`; undefined if the server gives none. */
async function healthOf({ host, port }: Address): Promise<Response | undefined> {
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}/healthz`;
  const response = await fetch(url, { signal: AbortSignal.timeout(waits.healthCheck) }).catch(
    () => undefined,
  );
  await response?.body?.cancel();
  return response;
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
