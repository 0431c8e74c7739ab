/** Decides whether and when a failed request is repeated, unchanged and under the same idempotency key. */
import { ChatApiError } from "../chat-api/errors.ts";
import type { OperationName } from "../chat-api/operations.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";

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
  /** At least 0, less than 1. */
  random: () => number;
}

/** The extension point for a gate shared by all calls of a process, or a circuit breaker. */
export interface RetryPolicy {
  /** Milliseconds until the request is sent again, or null to give up. */
  delay(attempt: FailedAttempt): number | null;
  /**
   * Runs before every attempt, which starts when it resolves. An AttemptError that it throws becomes the
   * attempt's failure: nothing is sent, and `delay` decides.
   */
  admit?(attempt: Attempt): void | Promise<void>;
  /**
   * Runs after every admitted attempt: without an error when a success has arrived (for a stream or a file:
   * begun to arrive), with one after a failure. So a stream that is cut off is reported twice, and an attempt
   * that the caller aborts before its success not at all.
   */
  observe?(attempt: Attempt, error: AttemptError | undefined): void;
}

export interface RetryOptions {
  /** Longest waits before the first, second, … retry, in milliseconds; jittered from 0. */
  delays: readonly number[];
  /** Longest waits of `streamMessage` while its server is unavailable or restarts; jittered from half. */
  streamDelays: readonly number[];
  /** No retry of a JSON call or a download starts later than this many milliseconds after the call. */
  budget: number;
  /** No retry of a stream starts after this many milliseconds of silence or unavailability. */
  streamBudget: number;
  /** The longest `Retry-After` to wait for, in milliseconds. A longer one is left to the caller. */
  longestWait: number;
  /** `longestWait` for `rate_limited`. */
  longestRateLimitWait: number;
}

export const defaultRetryOptions: RetryOptions = {
  delays: [300, 900, 2_700],
  // A reply in progress is worth waiting for while a server restarts. The waits stay short, so that it
  // resumes soon after the restart.
  streamDelays: [300, 900, 2_700, 4_500, 4_500],
  budget: 15_000,
  streamBudget: 60_000,
  longestWait: 5_000,
  longestRateLimitWait: 2_000,
};

/**
 * The random part that is added to a requested `Retry-After`, at most, as a share of it: clients that were
 * asked for the same wait do not return all at once.
 */
const retryAfterSpread = 0.2;

/**
 * Lower bound of the jitter of a stream's waits, as a share of the backoff: with full jitter they could add
 * up to less than a restart takes.
 */
const shortestStreamShare = 0.5;

/** Retries of a message whose file is not ready. After them only the customer can help: by a new upload. */
const fileRepeats = 2;

/** True if no Chat API responded or it asks to come back later. Other errors come from a running server. */
function isUnavailable(error: AttemptError): boolean {
  return !(error instanceof ChatApiError) || error.code === "service_unavailable";
}

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
export function createRetryPolicy(options: Partial<RetryOptions> = {}): RetryPolicy {
  const settings = { ...defaultRetryOptions, ...options };
  return {
    delay(attempt) {
      const { error, streams, repeats, elapsed, random } = attempt;
      const restarts = streams && isUnavailable(error);
      const backOff = (restarts ? settings.streamDelays : settings.delays)[repeats];
      if (backOff === undefined || !canRepeat(attempt)) return null;
      const requestedWait = error instanceof ChatApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      const rateLimited = error instanceof ChatApiError && error.code === "rate_limited";
      if (requestedWait > (rateLimited ? settings.longestRateLimitWait : settings.longestWait)) return null;
      const spread = random();
      const shortest = restarts ? shortestStreamShare : 0;
      const wait = Math.max(
        backOff * (shortest + (1 - shortest) * spread),
        requestedWait * (1 + retryAfterSpread * spread),
      );
      return elapsed + wait <= (streams ? settings.streamBudget : settings.budget) ? wait : null;
    },
  };
}
