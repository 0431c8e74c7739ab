/**
 * A request of Node's HTTP server for the pipeline. The platform's `Request` and `Headers`, with their
 * `AbortSignal` and body stream, cost as much as the rest of a read, so each part is created on demand (`npm
 * run bench -- reads`).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { lostPeer } from "../limits/caller-address.ts";
import type { BodyPiece, BodyPieces, ChatRequest, RequestBody } from "../transport/chat-request.ts";

export class IncomingRequest implements ChatRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHeaders;
  readonly peerAddress: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #abort: AbortController | undefined;
  #body: RequestBody | undefined;

  constructor(url: URL, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.method = incoming.method ?? "GET";
    this.url = url;
    this.headers = new IncomingHeaders(incoming.rawHeaders);
    this.peerAddress = incoming.socket.remoteAddress ?? lostPeer;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get body(): RequestBody | null {
    if (this.method === "GET" || this.method === "HEAD") return null;
    this.#body ??= new IncomingBody(this.#incoming);
    return this.#body;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const [abort, outgoing] = [new AbortController(), this.#outgoing];
      this.#abort = abort;
      const watch = () => {
        if (!outgoing.writableFinished) abort.abort();
      };
      if (outgoing.closed) watch();
      else outgoing.once("close", watch);
    }
    return this.#abort.signal;
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

/**
 * A body that is read only as fast as it is consumed. It adds no listeners before the first read that has to
 * wait.
 */
export class IncomingBody implements RequestBody, BodyPieces {
  readonly #incoming: IncomingMessage;
  #wake: (() => void) | undefined;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  getReader(): BodyPieces {
    return this;
  }

  read(): BodyPiece | Promise<BodyPiece> {
    return this.#next() ?? this.#wait();
  }

  /** Called when the pipeline stops reading (`http/body.ts`). */
  async cancel(): Promise<void> {
    this.#incoming.destroy();
  }

  #next(): BodyPiece | undefined {
    const value: Uint8Array | null = this.#incoming.read();
    if (value !== null) return { done: false, value };
    return isRead(this.#incoming) ? { done: true } : undefined;
  }

  async #wait(): Promise<BodyPiece> {
    if (this.#wake === undefined) {
      const wake = () => this.#wake?.();
      for (const event of ["readable", "end", "error", "close"]) this.#incoming.on(event, wake);
    }
    for (;;) {
      if (this.#incoming.destroyed) throw this.#incoming.errored ?? new Error("The request was cut off");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const piece = this.#next();
      if (piece !== undefined) return piece;
    }
  }
}

/**
 * True when the whole body has been read. For HTTP/1.1, `complete` is true before the `end` event; for HTTP/2
 * it is also true for a body that was cut off.
 */
function isRead({ readableEnded, complete, httpVersionMajor }: IncomingMessage): boolean {
  return readableEnded || (complete && httpVersionMajor === 1);
}
