/**
 * The transport to the Chat API: a `fetch` on undici's dispatcher, because the platform's costs more than
 * everything else in a read (docs/performance.md). Redirects are not followed, nothing is decompressed, no
 * cookie is kept. Bun, whose undici has no dispatcher, and Workers, which forbid the WebAssembly of its
 * parser, use their own `fetch`.
 */
import { lookup as lookUp } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Agent, Dispatcher } from "undici";
import type { AttemptInit, BodyReader, Reply } from "../../chat-client/client.ts";
import { bffLimits } from "../configuration/limits.ts";
import { isWorkers } from "../configuration/runtime.ts";

export interface Transport {
  fetch(address: string, init: AttemptInit): Promise<Reply>;
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

interface Agents {
  kept: Agent;
  /** Uses a new connection for each request. */
  single: Agent;
}

/** Undefined on a runtime where undici does not work. */
async function createAgents(): Promise<Agents | undefined> {
  if (isWorkers) return undefined;
  const { Agent } = await import("undici");
  if (typeof Agent.prototype.dispatch !== "function") return undefined;
  const agentWith = (pipelining: number) =>
    new Agent({
      connect: { timeout: bffLimits.connectTime, lookup },
      // The client has its own timeouts, one for each kind of response.
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining,
    });
  return { kept: agentWith(1), single: agentWith(0) };
}

/**
 * Loads undici with the first request, which a chat server without a usable configuration never sends: undici
 * fails to load on a Node that is too old, and the host must keep running there.
 */
export function createTransport(): Transport {
  let loading: Promise<Agents | undefined> | undefined;
  return {
    async fetch(address, init) {
      // A failure to load is not kept.
      loading ??= createAgents().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      const agents = await loading;
      if (agents === undefined) return fetch(address, init);
      try {
        return await exchange(agents.kept, address, init);
      } catch (error) {
        // A server may close a kept connection as a request leaves. Every request may be repeated: it reads,
        // or it has an idempotency key.
        if (!isReset(error) || init.signal?.aborted) throw error;
        return exchange(agents.single, address, init);
      }
    },
    async destroy() {
      const agents = await loading;
      await Promise.all([agents?.kept.destroy(), agents?.single.destroy()]);
    },
  };
}

/** The codes of a connection that ended without a response. */
const resets = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && resets.includes(String(error.code));
}

/** Bytes that may wait for the reader of a body before its connection is paused. */
const waitingBytes = 64 * 1024;

const schemeLength = "https://".length;

/** undici's events of one request become a `Reply`. */
function exchange(dispatcher: Dispatcher, address: string, init: AttemptInit): Promise<Reply> {
  const { method, headers, body, signal } = init;
  if (body instanceof FormData) throw new TypeError("A body for the Chat API must be text or bytes");
  const pathStart = address.indexOf("/", schemeLength);
  return new Promise((resolve, reject) => {
    let request: Dispatcher.DispatchController | undefined;
    const abort = () => request?.abort(new Error("The request was given up"));
    const arriving = createArrivingBody(() => request?.paused && request.resume(), abort);
    dispatcher.dispatch(
      {
        origin: address.slice(0, pathStart),
        path: address.slice(pathStart),
        method,
        // Without this header a server may choose any coding (RFC 9110, section 12.5.3).
        headers: { ...headers, "accept-encoding": "identity" },
        body,
      },
      {
        onRequestStart(started) {
          request = started;
          if (signal?.aborted) abort();
          signal?.addEventListener("abort", abort);
        },
        onResponseStart(_, status, fields) {
          // The final response follows provisional responses such as 100 and 103.
          if (status < 200 && status !== 101) return;
          // Ends the request with this error.
          if (status < 200 || status > 599) throw new RangeError("HTTP has no such status");
          resolve({
            status,
            type: "basic",
            headers: headersOf(fields),
            body: { getReader: () => arriving.reader },
          });
        },
        onResponseData(controller, bytes) {
          if (!arriving.push(bytes)) controller.pause();
        },
        onResponseEnd() {
          signal?.removeEventListener("abort", abort);
          arriving.end();
        },
        onResponseError(_, error) {
          signal?.removeEventListener("abort", abort);
          reject(error);
          arriving.end(error);
        },
      },
    );
  });
}

/** A response's header fields, whose names undici gives in lower case. */
function headersOf(fields: NodeJS.Dict<string | string[]>): Reply["headers"] {
  const get = (name: string) => {
    const value = fields[name.toLowerCase()];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  };
  return {
    get,
    *[Symbol.iterator]() {
      for (const name of Object.keys(fields)) yield [name, get(name) ?? ""] as [string, string];
    },
  };
}

type Piece = ReadableStreamReadResult<Uint8Array>;

/** The body of a response, for its one reader. */
function createArrivingBody(resume: () => void, abort: () => void) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let resolve: ((piece: Piece | Promise<Piece>) => void) | undefined;
  let ending: { error?: Error | undefined } | undefined;

  /** Answers the pending reading, if it can be answered. */
  function answer(): void {
    const answered = resolve;
    const value = answered && pieces.shift();
    if (answered === undefined || (value === undefined && ending === undefined)) return;
    resolve = undefined;
    size -= value?.byteLength ?? 0;
    if (value !== undefined) answered({ done: false, value });
    else answered(ending?.error === undefined ? { done: true, value } : Promise.reject(ending.error));
  }

  function end(error?: Error): void {
    ending = { error };
    answer();
  }

  const reader: BodyReader = {
    read() {
      return new Promise((asked) => {
        resolve = asked;
        answer();
        if (resolve !== undefined) resume();
      });
    },
    async cancel() {
      pieces.length = 0;
      end();
      abort();
    },
  };
  return {
    reader,
    end,
    /** False if the reader is behind, so that the connection must be paused. */
    push(value: Uint8Array): boolean {
      // undici passes an empty chunk when a resumed body has no bytes ready.
      if (value.byteLength > 0 && ending === undefined) {
        pieces.push(value);
        size += value.byteLength;
        answer();
      }
      return size <= waitingBytes;
    },
  };
}
