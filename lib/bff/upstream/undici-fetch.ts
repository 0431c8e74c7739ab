/**
 * The transport to the Chat API: a `fetch` on undici's dispatcher, because the platform's costs more than
 * everything else in a read (docs/performance.md). Redirects are not followed, nothing is decompressed, no
 * cookie is kept. Bun, whose undici has no dispatcher, and Workers, which forbid the WebAssembly of its
 * parser, use their own `fetch`.
 */
import { lookup as lookUp } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Agent, Dispatcher } from "undici";
import type { AttemptInit } from "../../chat-client/client.ts";
import { bffLimits } from "../configuration/limits.ts";
import { isWorkers } from "../configuration/runtime.ts";

export interface Transport {
  fetch(address: string, init: AttemptInit): Promise<Response>;
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

const schemeLength = "https://".length;

/** The statuses whose responses have no body. */
const bodiless = [204, 205, 304];

/** undici's events of one request become a `Response`. */
function exchange(dispatcher: Dispatcher, address: string, init: AttemptInit): Promise<Response> {
  const { method, headers, body, signal } = init;
  if (body instanceof FormData) throw new TypeError("A body for the Chat API must be text or bytes");
  const pathStart = address.indexOf("/", schemeLength);
  return new Promise((resolve, reject) => {
    let request: Dispatcher.DispatchController | undefined;
    let arriving: ReadableStreamDefaultController<Uint8Array> | undefined;
    const abort = () => request?.abort(new Error("The request was given up"));
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start(controller) {
        arriving = controller;
      },
      pull() {
        if (request?.paused) request.resume();
      },
      cancel() {
        arriving = undefined;
        abort();
      },
    };
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
          const pairs = Object.entries(fields).flatMap(([name, value]) =>
            [value ?? []].flat().map((one): [string, string] => [name, one]),
          );
          const stream = new ReadableStream(source);
          // Throws for a status that HTTP does not have, which ends the request with this error.
          resolve(new Response(bodiless.includes(status) ? null : stream, { status, headers: pairs }));
        },
        onResponseData(controller, bytes) {
          // undici passes an empty chunk when a resumed body has no bytes ready.
          if (bytes.byteLength === 0) return;
          arriving?.enqueue(bytes);
          if ((arriving?.desiredSize ?? 0) <= 0) controller.pause();
        },
        onResponseEnd() {
          signal?.removeEventListener("abort", abort);
          arriving?.close();
        },
        onResponseError(_, error) {
          signal?.removeEventListener("abort", abort);
          reject(error);
          arriving?.error(error);
        },
      },
    );
  });
}
