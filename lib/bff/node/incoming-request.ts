/**
 * A request of Node's HTTP server for the pipeline. The platform's `Request` and `Headers`, with their
 * `AbortSignal` and body stream, cost as much as the rest of a read, so each part is created on demand (`npm
 * run bench -- reads`).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyPiece, ChatRequest, RequestBody } from "../exchange/chat-request.ts";

export class IncomingRequest implements ChatRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHeaders;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #left: AbortController | undefined;
  #body: RequestBody | undefined;

  constructor(url: string, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.method = incoming.method ?? "GET";
    this.url = url;
    this.headers = new IncomingHeaders(incoming.rawHeaders);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get body(): RequestBody | null {
    if (this.method === "GET" || this.method === "HEAD") return null;
    this.#body ??= bodyOf(this.#incoming);
    return this.#body;
  }

  get signal(): AbortSignal {
    if (this.#left === undefined) {
      const [left, outgoing] = [new AbortController(), this.#outgoing];
      this.#left = left;
      const watch = () => {
        if (!outgoing.writableFinished) left.abort();
      };
      if (outgoing.closed) watch();
      else outgoing.once("close", watch);
    }
    return this.#left.signal;
  }
}

/** Like the platform's `Headers`: repeated headers are joined. */
class IncomingHeaders {
  readonly #raw: readonly string[];
  #values: Map<string, string> | undefined;

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    return this.#read().get(name.toLowerCase()) ?? null;
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#read().entries();
  }

  #read(): Map<string, string> {
    if (this.#values !== undefined) return this.#values;
    const values = new Map<string, string>();
    for (let at = 0; at < this.#raw.length; at += 2) {
      const name = (this.#raw[at] ?? "").toLowerCase();
      // HTTP/2 has the method and the path among its headers.
      if (name.startsWith(":")) continue;
      const value = this.#raw[at + 1] ?? "";
      const before = values.get(name);
      values.set(name, before === undefined ? value : before + (name === "cookie" ? "; " : ", ") + value);
    }
    this.#values = values;
    return values;
  }
}

/** Read only as fast as it is consumed. */
function bodyOf(incoming: IncomingMessage): RequestBody {
  // Created at the first read, because Node discards a body that nobody has begun to read.
  let pieces: AsyncIterator<Uint8Array, undefined> | undefined;
  return {
    getReader: () => ({
      read() {
        pieces ??= incoming.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
        return pieces.next() as Promise<BodyPiece>;
      },
      // Called when the pipeline stops reading (`http/body.ts`).
      async cancel() {
        incoming.destroy();
      },
    }),
  };
}
