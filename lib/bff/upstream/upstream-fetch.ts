/**
 * How the BFF speaks HTTP to the Chat API: undici's own client on kept-alive connections, which costs less for each read
 * and each delta than the global `fetch`. Redirects are not followed, nothing is decompressed, no cookie is kept.
 */
import type { Readable } from "node:stream";
import { Agent, type Dispatcher, request } from "undici";
import type { Fetch } from "#lib/chat-client/client.ts";
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
    const headers = new Headers(init.headers);
    const body = await encodeBody(init.body, headers);
    const answer = await request(address, {
      dispatcher,
      method: init.method === "POST" ? "POST" : "GET",
      headers,
      body,
      signal: init.signal ?? null,
    });
    return toResponse(answer);
  };
}

/** A form is encoded here, since undici takes no form of the platform's; all other bodies of the client are strings. */
async function encodeBody(body: RequestInit["body"], headers: Headers): Promise<string | Buffer | null> {
  if (typeof body === "string") return body;
  if (body === undefined || body === null) return null;
  const encoded = new Response(body);
  headers.set("content-type", encoded.headers.get("content-type") ?? "");
  return Buffer.from(await encoded.arrayBuffer());
}

/** Statuses whose `Response` must not have a body; undici gives an empty one. */
const bodiless = new Set([204, 205, 304]);

function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Response {
  // Destroying a body that nobody reads any more is an error to nobody.
  body.on("error", () => undefined);
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
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
