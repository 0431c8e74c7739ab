/**
 * The parts of a request that the pipeline reads. The platform's `Request` implements it; on Node's own
 * sockets a cheaper object does (`node/incoming-request.ts`).
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
  /** Without a promise if bytes have arrived already. */
  read(): BodyPiece | Promise<BodyPiece>;
  cancel(): Promise<void>;
}

export type BodyPiece = { done: false; value: Uint8Array } | { done: true; value?: unknown };

/** The platform's `Request`, for the host. Only the pipeline reads the body. */
export function platformRequest({ url, headers }: ChatRequest): Request {
  return new Request(url, { headers: [...headers] });
}
