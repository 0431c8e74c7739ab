/**
 * The part of a request that the pipeline reads. The platform's `Request` implements it, and so does a
 * cheaper object for Node's own sockets (`node/incoming-request.ts`).
 */
export interface ChatRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, "get"> & Iterable<[string, string]>;
  readonly body: RequestBody | null;
  /** Aborted when the browser disconnects. */
  readonly signal: AbortSignal;
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

/**
 * The request as a platform `Request` for the host's `customerOf`: URL and headers. Its method is always GET.
 * It has no body, which only the pipeline reads. The URL is at this origin, because the caller chooses the
 * `Host` header, and a host may send the caller's cookie to an address relative to the URL.
 */
export function platformRequest({ url, headers }: ChatRequest, origin: string): Request {
  const { pathname, search } = new URL(url);
  return new Request(origin + pathname + search, { headers: [...headers] });
}
