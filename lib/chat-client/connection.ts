/** One attempt: a request and its response as it arrives. */
import { createDeadline, type Deadline } from "./deadline.ts";
import { readRequestId } from "./error-answer.ts";
import { ChatConnectionError, type ConnectionFault, ContractError, UnusableStatusError } from "./errors.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { ClientSettings } from "./options.ts";
import { buildRequest, type Call } from "./request.ts";

export interface Connection {
  readonly call: Call;
  readonly answer: Answer;
  readonly requestId: string | undefined;
  /** When the request was sent, by the settings' clock. */
  readonly sentAt: number;
  /**
   * Passes the body's chunks to `take` until it returns `enough`. The rest is then drained, so that the
   * socket can serve another request. Resolves at the end. `allowance` returns how long the server may be
   * silent, in milliseconds.
   * @throws ChatConnectionError `timeout` after too long a silence, `cut` for a truncated response; the
   *   caller's abort reason; whatever `take` throws.
   */
  flow(take: (bytes: Uint8Array) => "more" | "enough", allowance: () => number): Promise<void>;
  /** From now on the server may be silent for this long, whatever `allowance` returned before. */
  allow(milliseconds: number): void;
  /** Aborts the unread rest, unless it is being drained. */
  close(): void;
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
  const deadline = createDeadline(call.signal, () => {
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
  return createConnection({ attempt, answer, deadline, sentAt });
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
    deadline.hasExpired() ? "timeout" : fault,
    deadline.hasExpired() ? undefined : systemCodeOf(error),
  );
}

interface Answered {
  attempt: Attempt;
  answer: Answer;
  deadline: Deadline;
  sentAt: number;
}

function createConnection({ attempt, answer, deadline, sentAt }: Answered): Connection {
  const { call, exchange } = attempt;
  /** Set once: by `close`, or at the response's end, after which there is nothing to close. */
  let closed = false;
  let draining = false;

  function end(): void {
    closed = true;
    deadline.release();
  }

  function close(): void {
    if (closed || draining) return;
    end();
    exchange.abort();
  }

  /**
   * Restarts the timer for the next bytes. Bytes that are always ready would starve a timer, so a passed
   * deadline throws here.
   */
  function allow(milliseconds: number): void {
    if (milliseconds <= 0) throw new ChatConnectionError(call.operation, "timeout");
    deadline.set(milliseconds);
  }

  function flow(take: (bytes: Uint8Array) => "more" | "enough", allowance: () => number): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        close();
        reject(error);
      };
      let left = drainBytes;
      attempt.giveUp = fail;
      try {
        if (attempt.lost !== undefined) throw attempt.lost;
        allow(allowance());
      } catch (error) {
        fail(error);
        return;
      }
      answer.flow({
        take(bytes) {
          if (closed) return;
          if (draining) {
            left -= bytes.byteLength;
            draining = left > 0;
            if (!draining) close();
            return;
          }
          try {
            if (take(bytes) === "more") {
              allow(allowance());
              return;
            }
          } catch (error) {
            fail(error);
            return;
          }
          // The outcome is known: neither an error in the rest nor an abort changes it.
          draining = true;
          attempt.giveUp = end;
          deadline.release();
          deadline.set(drainTime);
          resolve();
        },
        end(error) {
          if (closed) return;
          end();
          if (error === undefined) resolve();
          else reject(failure(call, deadline, "cut", error));
        },
      });
    });
  }

  return { call, answer, requestId: readRequestId(answer.headers), sentAt, flow, allow: deadline.set, close };
}
