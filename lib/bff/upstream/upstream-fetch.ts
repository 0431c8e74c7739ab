/**
 * How the BFF speaks HTTP to the Chat API: undici's own client on kept-alive connections, which costs less for each read
 * and each delta than the global `fetch`. Redirects are not followed, nothing is decompressed, no cookie is kept.
 */
import type { Readable } from "node:stream";
import { Agent, type Dispatcher, request } from "undici";
import type { Fetch } from "#lib/chat-client/client.ts";
import { UnusableStatusError } from "#lib/chat-client/errors.ts";
import { bffLimits } from "../limits.ts";

export function createDispatcher(): Agent {
  return new Agent({
    connect: { timeout: bffLimits.connectTime },
    // The client has its own clocks for these, one for each kind of answer.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
  });
}

/** A `fetch` for the client: as much of one as the client asks for. */
export function createUpstreamFetch(dispatcher: Dispatcher): Fetch {
  return async (address, init) => {
    const answer = await request(address, {
      dispatcher,
      method: init.method === "POST" ? "POST" : "GET",
      headers: plainHeaders(init),
      body: bodyOf(init),
      signal: init.signal ?? null,
    });
    return toResponse(answer);
  };
}

/** Who names no coding gets any (RFC 9110, section 12.5.3), and nothing is decompressed here. */
function plainHeaders({ headers: given }: RequestInit): Headers {
  const headers = new Headers(given);
  headers.set("accept-encoding", "identity");
  return headers;
}

/** JSON, and uploads that are written down already (`files/multipart.ts`): undici takes no form of the platform's. */
function bodyOf({ body }: RequestInit): string | Uint8Array | null {
  if (body === undefined || body === null) return null;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  throw new TypeError("A body towards the Chat API is text or bytes");
}

/** Statuses whose `Response` must not have a body; undici gives an empty one. */
const bodiless = new Set([204, 205, 304]);

function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Response {
  // Destroying a body that nobody reads any more is an error to nobody.
  body.on("error", () => undefined);
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  if (statusCode < 200 || statusCode > 599) {
    body.destroy();
    throw new UnusableStatusError(statusCode);
  }
  if (bodiless.has(statusCode)) {
    body.destroy();
    return new Response(null, { status: statusCode, headers: pairs });
  }
  return new Response(toWebStream(body), { status: statusCode, headers: pairs });
}

function toWebStream(body: Readable): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}
