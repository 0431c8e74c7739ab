/** A connection: carries one request and its response between two actors, with the faults of its fate. */
import type { Fate } from "./fates.ts";
import { type Actor, newLane, type Scheduler } from "./scheduler.ts";
import { bytesOf, type WireBody } from "./wire-body.ts";

export interface Server {
  readonly actor: Actor;
  handle(request: Request): Promise<Response>;
}

export interface Line {
  scheduler: Scheduler;
  /** The actor that carries what nobody waits for. */
  wire: Actor;
  from: Actor;
  /** Where the request goes; null if nobody listens. Asked when it arrives. */
  to(): Server | null;
  fate: Fate;
  /** The request's name in the history. */
  says: string;
  /** Called when the response's head arrives, and when all of it has arrived. */
  onHead?(response: Response): void;
  onWhole?(response: Response): void;
}

const lost = () => new TypeError("fetch failed");
const withoutBody = new Set([204, 304]);

/** `fetch` over this line. */
export async function exchange(line: Line, address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const body = await bytesOf(init.body, headers);
  init.signal?.throwIfAborted();
  return new Connection(line, address, {
    method: init.method ?? "GET",
    headers,
    body,
    signal: init.signal ?? null,
  }).response;
}

interface Sent {
  method: string;
  headers: Headers;
  body: WireBody | null;
  signal: AbortSignal | null;
}

class Connection {
  readonly response: Promise<Response>;
  readonly #line: Line;
  readonly #address: string;
  readonly #sent: Sent;
  readonly #lane = newLane();
  /** Aborts when the server notices that the caller has left. */
  readonly #gone = new AbortController();
  #resolve: (response: Response) => void;
  #reject: (error: unknown) => void;
  #feed: ReadableStreamDefaultController<Uint8Array> | null = null;
  #server: Server | null = null;
  #told: Response | null = null;
  /** The caller gets nothing more. */
  #isOver = false;

  constructor(line: Line, address: string, sent: Sent) {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#line = line;
    this.#address = address;
    this.#sent = sent;
    sent.signal?.addEventListener("abort", this.#onAbort, { once: true });
    line.from.connections.add(this.#onLeft);
    this.#send();
  }

  #onAbort = () => this.#leave(() => this.#fail(this.#sent.signal?.reason));
  #onLeft = (isDead: boolean) =>
    this.#leave(() => (isDead ? this.#end() : this.#tell("the page is hidden", () => this.#fail(lost()))));
  #onServerDeath = () => this.#tell("its server is gone", () => this.#fail(lost()));

  #end(): void {
    this.#isOver = true;
    this.#sent.signal?.removeEventListener("abort", this.#onAbort);
    this.#line.from.connections.delete(this.#onLeft);
    this.#server?.actor.connections.delete(this.#onServerDeath);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#reject(error);
    this.#feed?.error(error);
  }

  /** The caller closes the connection, which the server notices later. */
  #leave(end: () => void): void {
    if (this.#isOver) return;
    end();
    const { scheduler, fate, says } = this.#line;
    const server = this.#server;
    if (server === null) this.#gone.abort();
    else
      scheduler.schedule(server.actor, fate.latency(), `${says}: its caller has left`, () =>
        this.#gone.abort(),
      );
  }

  /** Schedules what reaches the caller. */
  #tell(what: string, act: () => void): void {
    const { scheduler, from, fate, says } = this.#line;
    scheduler.schedule(from, fate.latency(), `${says}: ${what}`, act, { lane: this.#lane });
  }

  /** The connection breaks for both. */
  #break(what: string): void {
    this.#tell(what, () => this.#leave(() => this.#fail(lost())));
  }

  #send(): void {
    const { scheduler, wire, fate, says } = this.#line;
    if (fate.isLost) {
      this.#break("lost before it arrives");
      return;
    }
    const { refusal } = fate;
    if (refusal !== null) {
      this.#tell(`${refusal.status} of a proxy`, () => this.#deliverHead(refusal));
      void this.#pump(refusal, null);
      return;
    }
    const first = fate.latency();
    scheduler.schedule(wire, first, `${says}: arrives`, () => this.#arrive(false));
    if (fate.isDoubled)
      scheduler.schedule(wire, first + fate.latency(), `${says}: arrives again`, () => this.#arrive(true));
  }

  #arrive(isCopy: boolean): void {
    const { scheduler, fate, says, to } = this.#line;
    const server = to();
    if (server === null) {
      if (!isCopy) this.#break("nobody listens");
      return;
    }
    if (!isCopy) {
      this.#server = server;
      if (!this.#isOver) server.actor.connections.add(this.#onServerDeath);
      if (fate.requestBytes !== null) this.#break("its request is cut off");
    }
    const serve = () => {
      this.#serve(server, isCopy).catch(() => isCopy || this.#break("its server fails"));
    };
    if (server.actor.isFrozen) scheduler.schedule(server.actor, 0, `${says}: is read`, serve);
    else {
      scheduler.become(server.actor);
      serve();
    }
  }

  #request(): Request {
    const { method, headers, body } = this.#sent;
    const { requestBytes } = this.#line.fate;
    const signal = this.#gone.signal;
    if (body === null) return new Request(this.#address, { method, headers, signal });
    if (requestBytes === null) return new Request(this.#address, { method, headers, body, signal });
    const cut = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(body.subarray(0, Math.floor(body.byteLength * requestBytes))),
      pull: (controller) => {
        controller.error(lost());
        this.#gone.abort();
      },
    });
    return new Request(this.#address, { method, headers, body: cut, signal, ...{ duplex: "half" } });
  }

  async #serve(server: Server, isCopy: boolean): Promise<void> {
    const { fate } = this.#line;
    const own = await server.handle(this.#request());
    if (isCopy) return cancel(own);
    if (fate.responseBytes === 0) {
      this.#break("its response is lost");
      return cancel(own);
    }
    const told = fate.replace?.(own) ?? own;
    if (told !== own) cancel(own);
    const type = told.headers.get("content-type") ?? "";
    if (fate.name === null && type.startsWith("application/json")) return this.#deliverWhole(told);
    this.#tell(String(told.status), () => this.#deliverHead(told));
    await this.#pump(told, fate.responseBytes);
  }

  #deliverHead(told: Response): void {
    if (this.#isOver) return;
    const hasBody = told.body !== null && !withoutBody.has(told.status);
    const arriving = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#feed = controller;
      },
      cancel: () => this.#leave(() => this.#end()),
    });
    const copy = new Response(hasBody ? arriving : null, { status: told.status, headers: told.headers });
    this.#line.onHead?.(copy);
    this.#resolve(copy);
    this.#told = copy;
    if (!hasBody) this.#close();
  }

  /** A short response that meets no fault arrives in one packet. */
  async #deliverWhole(told: Response): Promise<void> {
    const bytes = new Uint8Array(await told.arrayBuffer());
    this.#tell(String(told.status), () => {
      this.#deliverHead(told);
      if (this.#isOver) return;
      this.#feed?.enqueue(bytes);
      this.#close();
    });
  }

  /** The body, each piece after the one before it has been delivered. */
  async #pump(told: Response, length: number | null): Promise<void> {
    const { fate } = this.#line;
    const reader = told.body?.getReader();
    if (reader === undefined) return;
    const stop = () => void reader.cancel().catch(() => undefined);
    this.#gone.signal.addEventListener("abort", stop, { once: true });
    let left = length ?? Number.POSITIVE_INFINITY;
    try {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        const bytes: Uint8Array = piece.value.subarray(0, left);
        left -= bytes.byteLength;
        for (const part of fate.split(bytes)) await this.#deliver(part);
        if (left <= 0) break;
      }
    } catch {
      this.#break("its response fails");
      return;
    }
    if (left > 0 || fate.endsCleanly) this.#tell("complete", () => this.#close());
    else if (!fate.isSilent) this.#break("cut off");
    if (left <= 0) stop();
  }

  #deliver(bytes: Uint8Array): Promise<void> {
    return new Promise((done) => {
      this.#tell(`${bytes.byteLength} bytes`, () => {
        if (!this.#isOver) this.#feed?.enqueue(bytes);
        done();
      });
    });
  }

  #close(): void {
    if (this.#isOver) return;
    this.#end();
    if (this.#told !== null) this.#line.onWhole?.(this.#told);
    this.#feed?.close();
  }
}

function cancel({ body }: Response): void {
  body?.cancel().catch(() => undefined);
}
