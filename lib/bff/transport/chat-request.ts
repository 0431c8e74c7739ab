/**
 * A request as the pipeline reads it: the parts of the platform's `Request` that the chat needs.
 * `WebRequest` takes them from a `Request`, `node/incoming-request.ts` from Node's own.
 */
export interface ChatRequest {
  readonly method: string;
  /** Its origin is not to be trusted, because the caller chooses the `Host` header. */
  readonly url: URL;
  readonly headers: Pick<Headers, "get"> & Iterable<[string, string]>;
  readonly body: RequestBody | null;
  /** Aborted when the browser disconnects. */
  readonly signal: AbortSignal;
  /** The connection's address, which a web-standard request does not have. */
  readonly peerAddress: string | undefined;
}

/** The part of the platform's `ReadableStream` that reads a body. */
export interface RequestBody {
  getReader(): BodyPieces;
}

export interface BodyPieces {
  /** May return the piece itself instead of a promise if bytes have already arrived. */
  read(): BodyPiece | Promise<BodyPiece>;
  cancel(): Promise<void>;
}

export type BodyPiece = { done: false; value: Uint8Array } | { done: true; value?: unknown };

/** Reads method, URL and headers once, body and signal when a route needs them. */
export class WebRequest implements ChatRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly peerAddress: string | undefined;
  readonly #request: Request;
  readonly #body: RequestBody | undefined;

  /** @param body Replaces the request's own. */
  constructor(request: Request, peerAddress: string | undefined, body?: RequestBody) {
    this.method = request.method;
    this.url = new URL(request.url);
    this.headers = request.headers;
    this.peerAddress = peerAddress;
    this.#request = request;
    this.#body = body;
  }

  get body(): RequestBody | null {
    return this.#body ?? this.#request.body;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/**
 * The request as a platform `Request` for the host's `customerOf`: URL and headers. Its method is always GET.
 * It has no body, which only the pipeline reads. The URL is at this origin, because the caller chooses the
 * `Host` header, and a host may send the caller's cookie to an address relative to the URL.
 */
export function platformRequest({ url, headers }: ChatRequest, origin: string): Request {
  const init = { headers: headers instanceof Headers ? headers : [...headers] };
  return new Request(origin + url.pathname + url.search, init);
}
