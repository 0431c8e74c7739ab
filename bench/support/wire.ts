/**
 * An HTTP client for benchmarks: one kept-alive connection, requests written as bytes, and responses parsed
 * as little as possible, because the load must cost a fraction of what it measures.
 */
import { connect, type Socket } from "node:net";
import { rawRequest } from "../../testing/raw-request.ts";

export interface WholeResponse {
  status: number;
  head: string;
  body: Buffer;
}

const blankLine = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");

export class Wire {
  readonly #socket: Socket;
  #waiting: Buffer = Buffer.alloc(0);
  #resolve: ((response: WholeResponse) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;
  /** Set while the response is a stream: receives its bytes as they arrive, framing included. */
  #onBytes: ((bytes: Buffer) => void) | undefined;
  #onEnd: (() => void) | undefined;
  /** The stream's remaining bytes, if its head declares a length. */
  #remaining: number | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (bytes) => this.#read(bytes));
    const fail = (error: Error) => {
      this.#reject?.(error);
      this.#onEnd?.();
    };
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("The connection was closed")));
  }

  static open(port: number): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => resolve(new Wire(socket)));
      socket.once("error", reject);
    });
  }

  /** Resolves with the whole response. */
  send(request: Buffer | string): Promise<WholeResponse> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  /**
   * Resolves when the response's headers have arrived. Passes the body's bytes, including the framing, to
   * `onBytes` and then calls `onEnd`.
   */
  stream(request: Buffer, onBytes: (bytes: Buffer) => void, onEnd: () => void): Promise<WholeResponse> {
    this.#onBytes = onBytes;
    this.#onEnd = onEnd;
    return this.send(request);
  }

  close(): void {
    this.#resolve = undefined;
    this.#reject = undefined;
    this.#onEnd = undefined;
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    if (this.#onBytes !== undefined && this.#resolve === undefined) {
      this.#pass(bytes);
      return;
    }
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    const end = this.#waiting.indexOf(blankLine);
    if (end < 0) return;
    const head = this.#waiting.toString("latin1", 0, end);
    const status = Number(head.slice(9, 12));
    const bodyAt = end + blankLine.length;
    if (this.#onBytes !== undefined && status < 300) {
      const rest = this.#waiting.subarray(bodyAt);
      this.#remaining = lengthOf(head);
      this.#finish({ status, head, body: Buffer.alloc(0) });
      if (rest.length > 0) this.#pass(rest);
      return;
    }
    const body = this.#wholeBody(head, status, bodyAt);
    if (body === undefined) return;
    this.#onBytes = undefined;
    this.#finish({ status, head, body });
  }

  #wholeBody(head: string, status: number, bodyAt: number): Buffer | undefined {
    const bytes = this.#waiting;
    if (status === 204) return Buffer.alloc(0);
    const length = lengthOf(head);
    if (length !== undefined) {
      const endAt = bodyAt + length;
      return bytes.length >= endAt ? bytes.subarray(bodyAt, endAt) : undefined;
    }
    return bytes.subarray(-lastChunk.length).equals(lastChunk) ? joinChunks(bytes, bodyAt) : undefined;
  }

  #finish(response: WholeResponse): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    this.#reject = undefined;
    this.#waiting = Buffer.alloc(0);
    resolve?.(response);
  }

  #pass(bytes: Buffer): void {
    this.#onBytes?.(bytes);
    if (this.#remaining !== undefined) this.#remaining -= bytes.length;
    const isEnd =
      this.#remaining === undefined
        ? bytes.subarray(-lastChunk.length).equals(lastChunk)
        : this.#remaining === 0;
    if (!isEnd) return;
    const onEnd = this.#onEnd;
    this.#onBytes = undefined;
    this.#onEnd = undefined;
    onEnd?.();
  }
}

function lengthOf(head: string): number | undefined {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length === undefined ? undefined : Number(length);
}

/** The body of a chunked response, without the framing. */
function joinChunks(bytes: Buffer, from: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

export interface RequestHead {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

export function encodeRequest({ method, path, headers, body }: RequestHead): Buffer {
  const all = {
    host: "localhost",
    ...headers,
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
  return Buffer.concat([Buffer.from(rawRequest(method, path, all)), Buffer.from(body ?? "")]);
}
