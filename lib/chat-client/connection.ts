/** One attempt: a request and its response as it arrives. */
import { Deadline } from "./deadline.ts";
import { readRequestId } from "./error-answer.ts";
import { ChatConnectionError, type ConnectionFault, ContractError, UnusableStatusError } from "./errors.ts";
import type { Answer, BodySink, Exchange } from "./exchange.ts";
import type { ClientSettings } from "./options.ts";
import { buildRequest, type Call } from "./request.ts";

/** Reads the chunks of a body. */
export interface BodyReader {
  /** Returns `enough` when the rest does not matter. What it throws ends the connection. */
  take(bytes: Uint8Array): "more" | "enough";
  /** How long the server may be silent from now on, in milliseconds. */
  allowance(): number;
}

const drainTime = 1_000;
const drainBytes = 64 * 1024;

const systemCodePattern = /^[A-Z][A-Z0-9_]{2,63}$/;

/** `code` of the error, or of the cause that Node's `fetch` puts inside. */
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
  const answer = await new Promise<Answer>((resolve, reject) => {
    attempt.giveUp = reject;
    // The caller may abort while the request is being sent, before the deadline listens.
    if (call.signal?.aborted) {
      attempt.exchange.abort();
      reject(call.signal.reason);
    }
    attempt.exchange.answer.then(resolve, (error: unknown) => {
      deadline.release();
      reject(
        error instanceof UnusableStatusError && !call.signal?.aborted
          ? new ContractError(
              call.operation,
              "unreadable",
              `the answer has status ${error.status}`,
              undefined,
            )
          : failure(call, deadline, "unreachable", error),
      );
    });
  });
  deadline.stop();
  return new Connection({ attempt, answer, deadline, sentAt });
}

interface Attempt {
  call: Call;
  exchange: Exchange;
  /** Notified of a timeout or an abort: first the wait for the response, then the read of its body. */
  giveUp: ((failure: unknown) => void) | undefined;
  /** Why the attempt was aborted. */
  lost: unknown;
}

function failure(call: Call, deadline: Deadline, fault: ConnectionFault, error?: unknown): unknown {
  if (call.signal?.aborted) return call.signal.reason;
  return new ChatConnectionError(
    call.operation,
    deadline.hasExpired ? "timeout" : fault,
    deadline.hasExpired ? undefined : systemCodeOf(error),
  );
}

interface Answered {
  attempt: Attempt;
  answer: Answer;
  deadline: Deadline;
  sentAt: number;
}

/** A class, because each closure of a stream costs a cache miss per delta (`npm run bench -- streams`). */
export class Connection implements BodySink {
  readonly call: Call;
  readonly answer: Answer;
  readonly requestId: string | undefined;
  /** When the request was sent, by the settings' clock. */
  readonly sentAt: number;
  readonly #attempt: Attempt;
  readonly #deadline: Deadline;
  #reader: BodyReader | undefined;
  #settle: { resolve(): void; reject(error: unknown): void } | undefined;
  /** Set once: by `close`, or at the response's end, after which there is nothing to close. */
  #isClosed = false;
  #isDraining = false;
  #drainLeft = drainBytes;

  constructor({ attempt, answer, deadline, sentAt }: Answered) {
    this.call = attempt.call;
    this.answer = answer;
    this.requestId = readRequestId(answer.headers);
    this.sentAt = sentAt;
    this.#attempt = attempt;
    this.#deadline = deadline;
  }

  /**
   * Passes the body's chunks to the reader until it has enough. The rest is then drained, so that the socket
   * can serve another request. Resolves at the end.
   * @throws ChatConnectionError `timeout` after too long a silence, `cut` for a truncated response; the
   *   caller's abort reason; whatever the reader throws.
   */
  flow(reader: BodyReader): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#reader = reader;
      this.#attempt.giveUp = (failed) => this.#fail(failed);
      try {
        if (this.#attempt.lost !== undefined) throw this.#attempt.lost;
        this.#allow(reader.allowance());
      } catch (error) {
        this.#fail(error);
        return;
      }
      this.answer.flow(this);
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

  /** For the answer, as `end`. */
  take(bytes: Uint8Array): void {
    const reader = this.#reader;
    if (this.#isClosed || reader === undefined) return;
    try {
      if (this.#isDraining) this.#drain(bytes);
      else if (reader.take(bytes) === "enough") this.#enough();
      else this.#allow(reader.allowance());
    } catch (error) {
      this.#fail(error);
    }
  }

  end(error?: unknown): void {
    if (this.#isClosed) return;
    this.#release();
    if (error === undefined) this.#settle?.resolve();
    else this.#settle?.reject(failure(this.call, this.#deadline, "cut", error));
  }

  /** The outcome is known: neither an error in the rest nor an abort changes it. */
  #enough(): void {
    this.#isDraining = true;
    this.#attempt.giveUp = () => this.#release();
    this.#deadline.release();
    this.#deadline.set(drainTime);
    this.#settle?.resolve();
  }

  #drain(bytes: Uint8Array): void {
    this.#drainLeft -= bytes.byteLength;
    if (this.#drainLeft > 0) return;
    this.#isDraining = false;
    this.close();
  }

  /**
   * Restarts the timer for the next bytes. Bytes that are always ready would starve a timer, so a passed
   * deadline throws here.
   */
  #allow(milliseconds: number): void {
    if (milliseconds <= 0) throw new ChatConnectionError(this.call.operation, "timeout");
    this.#deadline.set(milliseconds);
  }

  #fail(error: unknown): void {
    this.close();
    this.#settle?.reject(error);
  }

  #release(): void {
    this.#isClosed = true;
    this.#deadline.release();
  }
}
