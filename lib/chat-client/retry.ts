/**
 * How everything repeats what has failed: the client's calls, the engine's writes, reads and polls. A rule
 * (`Repetition`; for a write, that of its code in the error table) says when. Time and chance come from
 * outside.
 */
import { ChatApiError, type Repetition } from "../chat-api/errors.ts";
import type { OperationName } from "../chat-api/operations.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";

/**
 * Resolves after `milliseconds`, or as soon as `signal` aborts. It never rejects, so the caller checks the
 * signal in one place.
 */
export type Sleep = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal?.addEventListener("abort", wake);
  });

export interface Failures {
  /** Failures in a row, the last one included. */
  count: number;
  /** Milliseconds since the first of them. */
  elapsed: number;
  /** The wait that the server asked for, in milliseconds; null if it asked for none. */
  askedWait: number | null;
}

/**
 * The random part that is added to a `Retry-After`, at most, as a share of it: clients that were asked for
 * the same wait do not return all at once.
 */
const retryAfterSpread = 0.2;

/** Milliseconds until the next attempt; null if the rule allows none. */
export function dueIn(
  { waits, times, within, longest, jitter = 0 }: Repetition,
  { count, elapsed, askedWait }: Failures,
  random: () => number = Math.random,
): number | null {
  const backOff = waits[Math.min(count, waits.length) - 1] ?? askedWait;
  const asked = askedWait ?? 0;
  if (backOff === null || count > times || asked > longest) return null;
  const chance = jitter === 0 ? 0 : random();
  const wait = Math.max(backOff * (1 - jitter * (1 - chance)), asked * (1 + retryAfterSpread * chance));
  return elapsed + wait <= within ? wait : null;
}

export interface Retried<T> {
  attempt(): Promise<T>;
  /** Milliseconds until the next attempt, usually by `dueIn`; null to give up. */
  next(error: unknown): number | null;
  /** Waits. What ends a wait early, such as the network's return, is the caller's. */
  pause(milliseconds: number): Promise<unknown>;
  signal: AbortSignal | undefined;
}

/** Rejects with the last error when `next` gives up, or with the signal's reason. */
export async function retrying<T>({ attempt, next, pause, signal }: Retried<T>): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const wait = next(error);
      if (wait === null) throw error;
      await pause(wait);
    }
  }
}

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
