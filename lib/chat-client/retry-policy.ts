/** Whether and when a call of the client is repeated, unchanged and under the same idempotency key. */
import { ChatApiError, type Repetition } from "../chat-api/errors.ts";
import type { OperationName } from "../chat-api/operations.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";
import { dueIn } from "./retry.ts";

/** The failures of an attempt. */
export type AttemptError = ChatApiError | ChatConnectionError | ContractError;

export interface Attempt {
  operation: OperationName;
  /** True for `streamMessage`. */
  streams: boolean;
  /** 1 for the first. */
  number: number;
  signal: AbortSignal | undefined;
}

export interface FailedAttempt extends Attempt {
  error: AttemptError;
  /** The number of retries so far; for a stream, within the last minute. */
  repeats: number;
  /** Milliseconds since the call began; for a stream that had begun to arrive, since its last byte. */
  elapsed: number;
  /** A random number: at least 0, less than 1. */
  random: () => number;
}

/** The extension point for what all calls of a process share, such as a circuit breaker. */
export interface RetryPolicy {
  /** Milliseconds until the request is sent again, or null to give up. */
  delay(attempt: FailedAttempt): number | null;
  /**
   * Runs before every attempt. An AttemptError that it throws becomes the attempt's failure: nothing is sent,
   * and `delay` decides.
   */
  admit?(attempt: Attempt): void;
  /**
   * Runs after every admitted attempt: without an error when a success has arrived (for a stream or a file:
   * begun to arrive), with one after a failure. So a stream that is cut off is reported twice, and an attempt
   * that the caller aborts before its success not at all.
   */
  observe?(attempt: Attempt, error: AttemptError | undefined): void;
}

export interface RetryRules {
  /** JSON calls and downloads; also streams that a running server refuses, within the time of `streams`. */
  calls: Repetition;
  /** Streams while their server is unavailable or restarts. */
  streams: Repetition;
}

const calls = { waits: [300, 900, 2_700], times: 3, within: 15_000, longest: 5_000, jitter: 1 };

export const retryRules: RetryRules = {
  calls,
  // A reply in progress is worth waiting for while a server restarts. The waits stay short, so that it
  // resumes soon after the restart, and half of each is certain: at random they could add up to less than a
  // restart takes.
  streams: { ...calls, waits: [...calls.waits, 4_500, 4_500], times: 5, within: 60_000, jitter: 0.5 },
};

/** The longest `Retry-After` of `rate_limited` to wait for, in milliseconds. */
const longestRateLimitWait = 2_000;

/** Retries of a message whose file is not ready. After them only the customer can help: by a new upload. */
const fileRepeats = 2;

function canRepeat({ error, operation, repeats }: FailedAttempt): boolean {
  if (error instanceof ChatConnectionError) return true;
  // An unreadable response is often a proxy's page or a truncated body. A readable but wrong one stays wrong.
  if (error instanceof ContractError) return error.kind === "unreadable";
  if (error.code === "file_not_ready" && operation === "sendMessage" && repeats >= fileRepeats) return false;
  return error.rule.retry === "after_delay";
}

/**
 * Retries lost connections, unreadable responses and the errors that the error table (`errorRules`) allows,
 * after a jittered backoff or the given `Retry-After`.
 */
export function createRetryPolicy(rules: RetryRules = retryRules): RetryPolicy {
  const refusedStreams = { ...rules.calls, within: rules.streams.within };
  return {
    delay(attempt) {
      const { error, streams, repeats, elapsed, random } = attempt;
      if (!canRepeat(attempt)) return null;
      const refusal = error instanceof ChatApiError ? error : undefined;
      const askedWait = (refusal?.retryAfterSeconds ?? 0) * 1_000;
      if (refusal?.code === "rate_limited" && askedWait > longestRateLimitWait) return null;
      const isAway = refusal?.rule.isUnreachable ?? true;
      const streamRule = isAway ? rules.streams : refusedStreams;
      return dueIn(streams ? streamRule : rules.calls, { count: repeats + 1, elapsed, askedWait }, random);
    },
  };
}
