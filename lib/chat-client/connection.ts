/** One attempt: a request and its response as it arrives. */
import { readRequestId } from "./error-response.ts";
import { ChatConnectionError, type ConnectionErrorKind } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import { type BodyReader, buildRequest, type Call, type Reply } from "./request.ts";

/** The platform's `fetch`, or a function that behaves like it. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

const drainTime = 1_000;
const drainBytes = 64 * 1024;

/** Longer delays overflow `setTimeout`, which then fires immediately. */
const longestTimer = 2 ** 31 - 1;

const systemCodePattern = /^[A-Z][A-Z0-9_]{2,63}$/;

/** `code` of the error or of its cause: Node's `fetch` wraps the system's error. */
function systemCodeOf(error: unknown): string | undefined {
  for (let depth = 0, at = error; depth < 3 && at instanceof Error; depth += 1, at = at.cause) {
    if ("code" in at && typeof at.code === "string" && systemCodePattern.test(at.code)) return at.code;
  }
  return undefined;
}

/**
 * Sends the request and waits for the response's headers, whatever the status.
 * @throws ChatConnectionError `unreachable` or `timeout`; the caller's abort reason.
 */
export async function connect(call: Call, settings: ClientSettings): Promise<Connection> {
  const { address, ...init } = await buildRequest(call, settings);
  call.signal?.throwIfAborted();
  const time = call.operation === "uploadFile" ? settings.timeouts.upload : settings.timeouts.headers;
  const connection = new Connection(call, settings.now);
  await connection.open(time, (signal) => settings.fetch(address, { ...init, signal }));
  return connection;
}

const noPiece = Promise.resolve({ done: true, value: undefined } as const);

/** A response, the timer of its attempt, restarted for each phase, and the caller's abort signal. */
export class Connection {
  readonly call: Call;
  /** When the request was sent, by the settings' clock. */
  readonly sentAt: number;
  readonly #now: () => number;
  readonly #abort = new AbortController();
  #response: Reply | undefined;
  #pieces: BodyReader | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the attempt ends, while the timer runs. */
  #expiresAt = 0;
  #hasExpired = false;
  /** True once time was up or the caller has aborted. */
  #isLost = false;
  /** True once there is nothing to close: after `close`, `drain` or the response's end. */
  #isClosed = false;
  /** Rejects `open`. No effect later. */
  #reject: ((reason: unknown) => void) | undefined;

  constructor(call: Call, now: () => number) {
    this.call = call;
    this.#now = now;
    this.sentAt = now();
    call.signal?.addEventListener("abort", this.#endAttempt, { once: true });
  }

  /** Known once `open` has resolved, before which nobody has the connection. */
  get response(): Reply {
    return this.#response as Reply;
  }

  get requestId(): string | undefined {
    return readRequestId(this.response.headers);
  }

  open(time: number, send: (signal: AbortSignal) => Promise<Reply>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#restart(time);
      send(this.#abort.signal).then(
        (response) => {
          this.pause();
          this.#response = response;
          this.#pieces = response.body?.getReader();
          // A `fetch` need not listen to its signal.
          if (this.#isLost) this.#cancel();
          resolve();
        },
        (error) => {
          this.#release();
          reject(this.#failure("unreachable", error));
        },
      );
    });
  }

  /**
   * The next piece of the body, for which the server has `milliseconds`; undefined at the end.
   * @throws ChatConnectionError `timeout`, or `cut` for a truncated response; the caller's abort reason.
   */
  read(milliseconds: number): Promise<Uint8Array | undefined> {
    // Bytes that are always ready would starve a timer.
    if (milliseconds <= 0) throw new ChatConnectionError(this.call.operation, "timeout");
    this.#restart(milliseconds);
    // The objects of an `await` here would wait for the server with each stream of a process.
    return (this.#pieces?.read() ?? noPiece).then(this.#take, this.#cut);
  }

  readonly #take = (piece: ReadableStreamReadResult<Uint8Array>): Uint8Array | undefined => {
    if (this.#isLost) throw this.#failure("cut");
    if (!piece.done) return piece.value;
    this.#isClosed = true;
    this.#release();
    return undefined;
  };

  readonly #cut = (error: unknown): never => {
    const failure = this.#failure("cut", error);
    // A download's reader never closes it.
    this.close();
    throw failure;
  };

  /** Stops the timer while nobody waits for the server. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Reads a response whose outcome is known to its end, so that its connection can serve another request:
   * neither a later error nor an abort changes the outcome.
   */
  async drain(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#release();
    this.#restart(drainTime);
    try {
      for (let left = drainBytes; left > 0; ) {
        const piece = await this.#pieces?.read();
        if (piece?.done !== false) return this.pause();
        left -= piece.value.byteLength;
      }
    } catch {
      // The outcome is known.
    }
    this.#cancel();
  }

  /** Aborts the unread rest. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancel();
  }

  /**
   * Ends the attempt in `milliseconds` unless the deadline is extended or the timer stopped. A running timer
   * is kept, because a stream has hundreds of pieces: it compares the clock with the deadline when it fires.
   */
  #restart(milliseconds: number): void {
    this.#expiresAt = this.#now() + milliseconds;
    this.#timer ??= setTimeout(this.#expire, Math.min(milliseconds, longestTimer));
  }

  readonly #expire = (): void => {
    this.#timer = undefined;
    const left = this.#expiresAt - this.#now();
    if (left > 0) this.#restart(left);
    else {
      this.#hasExpired = true;
      this.#endAttempt();
    }
  };

  #failure(kind: ConnectionErrorKind, error?: unknown): unknown {
    const { operation, signal } = this.call;
    if (signal?.aborted) return signal.reason;
    if (this.#hasExpired) return new ChatConnectionError(operation, "timeout");
    return new ChatConnectionError(operation, kind, systemCodeOf(error));
  }

  readonly #endAttempt = (): void => {
    this.#isLost = true;
    this.#cancel();
    this.#reject?.(this.#failure("cut"));
  };

  /** A body need not listen to its request's signal; cancelling ends its pending read as well. */
  #cancel(): void {
    this.#release();
    this.#abort.abort();
    this.#pieces?.cancel().catch(() => undefined);
  }

  /** Clears the timer and stops listening to the caller's signal, which may outlive many attempts. */
  #release(): void {
    this.pause();
    this.call.signal?.removeEventListener("abort", this.#endAttempt);
  }
}
