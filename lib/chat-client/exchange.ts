/** One request and its response, independent of the transport: `fetch`, or a server's own HTTP client. */

export interface HttpRequest {
  address: string;
  method: "GET" | "POST";
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string | FormData | readonly Uint8Array<ArrayBuffer>[] | undefined;
}

/** The part of response headers that the client reads; `Headers` implements it. */
export interface ResponseHeaders extends Iterable<[string, string]> {
  get(name: string): string | null;
}

export interface BodyConsumer {
  take(bytes: Uint8Array): void;
  /** Called last; with the error if the response was truncated. */
  end(error?: unknown): void;
}

/** A response whose body is still arriving. */
export interface HttpResponse {
  readonly status: number;
  /** True if the browser hid the status because it was a redirect. */
  readonly isRedirect: boolean;
  readonly headers: ResponseHeaders;
  /** Delivers the body, starting with the bytes that have arrived. Called at most once. */
  flow(sink: BodyConsumer): void;
  /** Requests a pause; some bytes may still arrive. */
  pause(): void;
  resume(): void;
}

/** A request that has been sent. */
export interface Exchange {
  /** Rejects if there was no response. */
  readonly response: Promise<HttpResponse>;
  /** Aborts the request and its response. Afterwards they need not settle or deliver anything. */
  abort(): void;
}

export type SendRequest = (request: HttpRequest) => Exchange;
