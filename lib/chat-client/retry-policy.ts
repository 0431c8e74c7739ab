/** Whether and when a failed request is sent again, always unchanged and with the same idempotency key. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { OperationName } from "#lib/chat-api/operations.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";

/** What an attempt can fail with. */
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
  /** How often the request was sent again before; of a stream, within the last minute. */
  repeats: number;
  /** Milliseconds since the call began; of a stream that had begun to arrive, since its last byte. */
  elapsed: number;
  /** At least 0, less than 1. */
  random: () => number;
}

/** The seam for a gate that all calls of a process share, or a circuit breaker. */
export interface RetryPolicy {
  /** Milliseconds until the request is sent again, or null to give up. */
  delay(failed: FailedAttempt): number | null;
  /**
   * Before every attempt, the first included: the attempt begins when it resolves. An AttemptError that it throws is
   * that attempt's failure: nothing is sent, and `delay` is asked.
   */
  admit?(attempt: Attempt): void | Promise<void>;
  /**
   * After every admitted attempt: without an error when a success arrived (of a stream or a file: began to), with one
   * when the attempt failed. A stream that breaks off is therefore seen twice, an attempt that the caller left not at all.
   */
  observe?(attempt: Attempt, error: AttemptError | undefined): void;
}

export interface RetryOptions {
  /** Longest waits before the first, second, … repetition, in milliseconds; jittered from 0. */
  delays: readonly number[];
  /** The same where the server of `streamMessage` is away, as while it restarts; jittered from half. */
  streamDelays: readonly number[];
  /** No repetition of a JSON call or a download begins later than this many milliseconds after the call. */
  budget: number;
  /** No repetition of a stream begins when it has been silent or away for this many milliseconds. */
  streamBudget: number;
  /** A longer `Retry-After` is left to the caller, who can show it. Milliseconds. */
  longestWait: number;
  /** The same for `rate_limited`, which stops every other call too. */
  longestRateLimitWait: number;
}

export const defaultRetryOptions: RetryOptions = {
  delays: [300, 900, 2_700],
  // A reply that is being written is worth waiting for while a server restarts, and no wait is so long that it goes on
  // late after the restart.
  streamDelays: [300, 900, 2_700, 4_500, 4_500],
  budget: 15_000,
  streamBudget: 60_000,
  longestWait: 5_000,
  longestRateLimitWait: 2_000,
};

/** A `Retry-After` is exceeded by up to this share, so that those who were told the same do not come back at once. */
const retryAfterSpread = 0.2;

/** Jittered from nothing, the waits of a stream could add up to less than a server needs to start again. */
const shortestStreamShare = 0.5;

/** `Send a message` with a file that stays unready is the customer's to mend: upload again. */
const fileRepeats = 2;

/** It cannot be reached, or says that it will be back. An error that it answers with comes from a server that runs. */
function isAway(error: AttemptError): boolean {
  return !(error instanceof ChatApiError) || error.code === "service_unavailable";
}

function canRepeat({ error, operation, repeats }: FailedAttempt): boolean {
  if (error instanceof ChatConnectionError) return true;
  // What cannot be read is often an interloper's page or half an answer. What is read and wrong stays wrong.
  if (error instanceof ContractError) return error.fault === "unreadable";
  if (error.code === "file_not_ready" && operation === "sendMessage" && repeats >= fileRepeats) return false;
  return error.rule.retry === "after_delay";
}

/** Repeats what the error table (`errorRules`) allows, after a jittered back-off or the `Retry-After` given. */
export function createRetryPolicy(options: Partial<RetryOptions> = {}): RetryPolicy {
  const settings = { ...defaultRetryOptions, ...options };
  return {
    delay(failed) {
      const { error, streams, repeats, elapsed, random } = failed;
      const restarts = streams && isAway(error);
      const backOff = (restarts ? settings.streamDelays : settings.delays)[repeats];
      if (backOff === undefined || !canRepeat(failed)) return null;
      const asked = error instanceof ChatApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      const rateLimited = error instanceof ChatApiError && error.code === "rate_limited";
      if (asked > (rateLimited ? settings.longestRateLimitWait : settings.longestWait)) return null;
      const spread = random();
      const shortest = restarts ? shortestStreamShare : 0;
      const wait = Math.max(
        backOff * (shortest + (1 - shortest) * spread),
        asked * (1 + retryAfterSpread * spread),
      );
      return elapsed + wait <= (streams ? settings.streamBudget : settings.budget) ? wait : null;
    },
  };
}
