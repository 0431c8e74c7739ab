/**
 * How the BFF speaks HTTP to the Chat API: undici's dispatcher on kept-alive connections, with a handler for
 * each request. The bytes of a response reach the client by callback, without a `Response`, its `Headers` and
 * a web stream, which cost more than the rest of a read. Redirects are not followed, nothing is decompressed,
 * no cookie is kept.
 */
import { lookup as lookUp } from "node:dns";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import { UnusableStatusError } from "../../chat-client/errors.ts";
import type {
  BodyConsumer,
  HttpRequest,
  HttpResponse,
  ResponseHeaders,
  SendRequest,
} from "../../chat-client/exchange.ts";
import { bffLimits } from "../configuration/limits.ts";

/** The client's requests through an agent of undici's. */
export interface UpstreamSender {
  send: SendRequest;
  /** Closes the connections. */
  destroy(): Promise<void>;
}

/**
 * `localhost` is both loopback addresses (RFC 6761, section 6.3), of which `/etc/hosts` may name one. Node
 * then tries both.
 */
const lookup: LookupFunction = (host, options, done) => {
  if (host !== "localhost" || !options.all) return lookUp(host, options, done);
  done(null, [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]);
};

/**
 * Loads undici with the first request, which a chat server without a usable configuration never sends: undici
 * fails to load on a Node that is too old, and the host must keep running there.
 */
export function createSender(): UpstreamSender {
  let loading: Promise<Agents> | undefined;
  let agents: Agents | undefined;
  const load = async () => {
    const { Agent } = await import("undici");
    const agentWith = (pipelining: number) =>
      new Agent({
        connect: { timeout: bffLimits.connectTime, lookup },
        // The client has its own timeouts, one for each kind of response.
        headersTimeout: 0,
        bodyTimeout: 0,
        pipelining,
      });
    agents = { kept: agentWith(1), single: agentWith(0) };
    return agents;
  };
  return {
    send(request) {
      const handler = new ResponseHandler(() => agents && dispatch(agents.single, request, handler));
      if (agents !== undefined) dispatch(agents.kept, request, handler);
      else {
        // A failure to load is not kept.
        loading ??= load().finally(() => {
          loading = undefined;
        });
        loading
          .then(({ kept }) => dispatch(kept, request, handler))
          .catch((error: Error) => handler.onResponseError(undefined, error));
      }
      return handler;
    },
    async destroy() {
      await loading;
      await Promise.all([agents?.kept.destroy(), agents?.single.destroy()]);
    },
  };
}

interface Agents {
  kept: Agent;
  /** Uses a new connection for each request. */
  single: Agent;
}

function dispatch(dispatcher: Dispatcher, request: HttpRequest, handler: ResponseHandler): void {
  const { origin, path } = split(request.address);
  dispatcher.dispatch(
    {
      origin,
      path,
      method: request.method,
      // Without this header a server may choose any coding (RFC 9110, section 12.5.3), and nothing is
      // decompressed here.
      headers: { ...request.headers, "accept-encoding": "identity", ...lengthOf(request) },
      body: bodyOf(request),
    },
    handler,
  );
}

const schemeLength = "https://".length;

function split(address: string): { origin: string; path: string } {
  const end = address.indexOf("/", schemeLength);
  return { origin: address.slice(0, end), path: address.slice(end) };
}

/**
 * JSON, or an encoded upload (`files/multipart.ts`), because undici does not accept the platform's
 * `FormData`.
 */
function bodyOf({ body }: HttpRequest): string | Readable | null {
  if (body === undefined) return null;
  if (typeof body === "string") return body;
  if (body instanceof FormData) throw new TypeError("A request body for the Chat API must be text or bytes");
  return Readable.from(body, { objectMode: false });
}

/** undici knows the length of text by itself. */
function lengthOf({ body }: HttpRequest): { "content-length"?: string } {
  if (!Array.isArray(body)) return {};
  return { "content-length": String(body.reduce((sum, { byteLength }) => sum + byteLength, 0)) };
}

/** The codes of a connection that ended without a response. */
const resets = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/** One request: undici's events become the response and its body. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #response = Promise.withResolvers<HttpResponse>();
  readonly response = this.#response.promise;
  #controller: Dispatcher.DispatchController | undefined;
  #isAborted = false;
  #sink: BodyConsumer | undefined;
  /** Chunks that arrived before the client asked for them. */
  #waiting: Uint8Array[] = [];
  #end: { error?: unknown } | undefined;
  #repeat: (() => void) | undefined;

  /**
   * @param repeat Sends the request on a new connection. Called once if a connection ends before the
   *   response, because a server may close a kept one as a request leaves. Every request may be repeated: it
   *   reads, or it has an idempotency key.
   */
  constructor(repeat?: () => void) {
    this.#repeat = repeat;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(new Error("The request was given up"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isAborted) this.abort();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // The final response follows provisional responses such as 100 and 103.
    if (status < 200 && status !== 101) return;
    this.#repeat = undefined;
    if (status < 200 || status > 599) {
      this.#response.reject(new UnusableStatusError(status));
      this.abort();
      return;
    }
    this.#response.resolve({
      status,
      isRedirect: false,
      headers: new PlainHeaders(headers),
      flow: (sink) => this.#flow(sink),
      pause: () => controller.pause(),
      resume: () => controller.resume(),
    });
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Uint8Array): void {
    // undici passes an empty chunk when a resumed body has no bytes ready. A reader that pauses after each
    // chunk and resumes for the next would loop for ever.
    if (bytes.byteLength === 0) return;
    if (this.#sink === undefined) this.#waiting.push(bytes);
    else this.#sink.take(bytes);
  }

  onResponseEnd(): void {
    this.#finish({});
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const repeat = this.#repeat;
    this.#repeat = undefined;
    const isReset = "code" in error && resets.includes(String(error.code));
    if (repeat !== undefined && !this.#isAborted && isReset) {
      repeat();
      return;
    }
    this.#response.reject(error);
    this.#finish({ error });
  }

  #finish(end: { error?: unknown }): void {
    this.#end = end;
    this.#sink?.end(end.error);
  }

  #flow(sink: BodyConsumer): void {
    this.#sink = sink;
    for (const bytes of this.#waiting.splice(0)) sink.take(bytes);
    if (this.#end !== undefined) sink.end(this.#end.error);
  }
}

/** undici's own record of a response's headers, names in lower case. */
class PlainHeaders implements ResponseHeaders {
  readonly #record: Record<string, string | string[] | undefined>;

  constructor(record: Record<string, string | string[] | undefined>) {
    this.#record = record;
  }

  get(name: string): string | null {
    const value = this.#record[name] ?? this.#record[name.toLowerCase()];
    return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
  }

  *[Symbol.iterator](): Iterator<[string, string]> {
    for (const [name, value] of Object.entries(this.#record)) {
      for (const one of [value ?? []].flat()) yield [name, one];
    }
  }
}
