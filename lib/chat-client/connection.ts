/** One attempt: a request and its response as it arrives. */
import { Deadline } from "./deadline.ts";
import { readRequestId } from "./error-response.ts";
import {
  ChatConnectionError,
  type ConnectionErrorKind,
  ContractError,
  UnusableStatusError,
} from "./errors.ts";
import type { BodyConsumer, Exchange, HttpResponse } from "./exchange.ts";
import type { ClientSettings } from "./options.ts";
import { buildRequest, type Call } from "./request.ts";

/** Reads the chunks of a body. */
export interface ChunkReader {
  /** Returns `enough` when the rest does not matter. What it throws ends the connection. */
  take(bytes: Uint8Array): "more" | "enough";
  /** How long the server may be silent from now on, in milliseconds. */
  allowance(): number;
}

const drainTime = 1_000;
const drainBytes = 64 * 1024;

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
 * @throws ChatConnectionError `unreachable` or `timeout`; ContractError for a status outside HTTP's range;
 * the caller's abort reason.
 */
export async function connect(call: Call, settings: ClientSettings): Promise<Connection> {
  const request = await buildRequest(call, settings);
  call.signal?.throwIfAborted();
  const sentAt = settings.now();
  const attempt: Attempt = { call, exchange: settings.send(request), giveUp: undefined, lost: undefined };
  const deadline = new Deadline(call.signal, () => {
    attempt.lost = failure(call, deadline, "cut");
    attempt.exchange.abort();
    attempt.giveUp?.(attempt.lost);
  });
  deadline.set(call.operation === "uploadFile" ? settings.timeouts.upload : settings.timeouts.headers);
  const response = await new Promise<HttpResponse>((resolve, reject) => {
    attempt.giveUp = reject;
    // The caller may abort while the request is being sent, before the deadline listens.
    if (call.signal?.aborted) {
      attempt.exchange.abort();
      reject(call.signal.reason);
    }
    attempt.exchange.response.then(resolve, (error: unknown) => {
      deadline.release();
      reject(
        error instanceof UnusableStatusError && !call.signal?.aborted
          ? new ContractError(
              call.operation,
              "unreadable",
              `the response has status ${error.status}`,
              undefined,
            )
          : failure(call, deadline, "unreachable", error),
      );
    });
  });
  deadline.stop();
  return new Connection(attempt, response, deadline, sentAt);
}

interface Attempt {
  call: Call;
  exchange: Exchange;
  /** Called on a timeout or an abort. Ends the wait for the response, and later the reading of its body. */
  giveUp: ((failure: unknown) => void) | undefined;
  /** Why the attempt was aborted. */
  lost: unknown;
}

function failure(call: Call, deadline: Deadline, kind: ConnectionErrorKind, error?: unknown): unknown {
  if (call.signal?.aborted) return call.signal.reason;
  return new ChatConnectionError(
    call.operation,
    deadline.hasExpired ? "timeout" : kind,
    deadline.hasExpired ? undefined : systemCodeOf(error),
  );
}

/** A class, like everything on a delta's path (docs/decisions/033-a-stream-is-few-objects.md). */
export class Connection implements BodyConsumer {
  readonly call: Call;
  readonly response: HttpResponse;
  /** When the request was sent, by the settings' clock. */
  readonly sentAt: number;
  readonly #attempt: Attempt;
  readonly #deadline: Deadline;
  #reader: ChunkReader | undefined;
  /** Settles `flow`. */
  #settle: { resolve(): void; reject(error: unknown): void } | undefined;
  /** Set once: by `close`, or at the response's end, after which there is nothing to close. */
  #isClosed = false;
  #isDraining = false;
  #drainLeft = drainBytes;

  constructor(attempt: Attempt, response: HttpResponse, deadline: Deadline, sentAt: number) {
    this.call = attempt.call;
    this.response = response;
    this.sentAt = sentAt;
    this.#attempt = attempt;
    this.#deadline = deadline;
  }

  get requestId(): string | undefined {
    return readRequestId(this.response.headers);
  }

  /**
   * Passes the body's chunks to the reader. Resolves when the reader has enough or the body ends. The rest is
   * then drained, so that the socket can serve another request.
   * @throws ChatConnectionError `timeout` after too long a silence, `cut` for a truncated response; the
   *   caller's abort reason; whatever the reader throws.
   */
  flow(reader: ChunkReader): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#reader = reader;
      this.#attempt.giveUp = this.#giveUp;
      try {
        if (this.#attempt.lost !== undefined) throw this.#attempt.lost;
        this.#allow();
        this.response.flow(this);
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  /** From now on the server may be silent for this long, whatever the reader allowed before. */
  allow(milliseconds: number): void {
    this.#deadline.set(milliseconds);
  }

  /** Aborts the unread rest, unless it is being drained. */
  close(): void {
    if (this.#isClosed || this.#isDraining) return;
    this.#release();
    this.#attempt.exchange.abort();
  }

  /** Called by the response, like `end`. */
  take(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#isDraining) {
      this.#drainLeft -= bytes.byteLength;
      this.#isDraining = this.#drainLeft > 0;
      if (!this.#isDraining) this.close();
      return;
    }
    try {
      const wants = this.#reader?.take(bytes);
      // The reader's callback may have aborted the call.
      if (this.#isClosed) return;
      if (wants === "more") {
        this.#allow();
        return;
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    // The outcome is known: neither an error in the rest nor an abort changes it.
    this.#isDraining = true;
    this.#deadline.release();
    this.#deadline.set(drainTime);
    this.#settle?.resolve();
  }

  end(error?: unknown): void {
    if (this.#isClosed) return;
    this.#release();
    if (error === undefined) this.#settle?.resolve();
    else this.#settle?.reject(failure(this.call, this.#deadline, "cut", error));
  }

  /**
   * Restarts the timer for the next bytes. Bytes that are always ready would starve a timer, so a passed
   * deadline throws here.
   */
  #allow(): void {
    const milliseconds = this.#reader?.allowance() ?? 0;
    if (milliseconds <= 0) throw new ChatConnectionError(this.call.operation, "timeout");
    this.#deadline.set(milliseconds);
  }

  readonly #giveUp = (failed: unknown): void => {
    if (this.#isDraining) this.#release();
    else this.#fail(failed);
  };

  #fail(error: unknown): void {
    this.close();
    this.#settle?.reject(error);
  }

  #release(): void {
    this.#isClosed = true;
    this.#deadline.release();
  }
}
