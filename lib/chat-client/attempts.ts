/** Makes the attempts at one call. */
import { ChatApiError } from "../chat-api/errors.ts";
import { operations } from "../chat-api/operations.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import type { Call } from "./request.ts";
import type { Attempt, AttemptError } from "./retry.ts";
import { retrying } from "./retry.ts";

/**
 * Retries of a stream older than this no longer count, because a long stream may be interrupted often.
 * Milliseconds.
 */
const repeatWindow = 60_000;

/** Reports of an attempt while it runs. */
export interface Progress {
  /** A success has begun to arrive. */
  succeeded(): void;
  /** Bytes of a stream arrived at this time, which resets its time budget. */
  alive(at: number): void;
}

function isAttemptError(error: unknown): error is AttemptError {
  return (
    error instanceof ChatApiError || error instanceof ChatConnectionError || error instanceof ContractError
  );
}

function isUnknownOutcome(error: unknown): error is AttemptError {
  if (error instanceof ChatApiError) return error.rule.outcome === "unknown";
  return (
    error instanceof ChatConnectionError || (error instanceof ContractError && error.kind === "unreadable")
  );
}

/**
 * True for a refusal of the repetition alone, such as that of a workspace which was suspended meanwhile: the
 * same request may succeed later, and has perhaps succeeded before.
 */
function mayHaveArrived(error: AttemptError): boolean {
  if (!(error instanceof ChatApiError)) return false;
  const { outcome, nextKey, step } = error.rule;
  return outcome === "none" && nextKey === "keep" && step === "refuse";
}

/** Makes attempts at one call until one succeeds or the policy gives up. */
export function attempting<T>(
  { operation, signal }: Call,
  { retry: policy, now, random, sleep, timeouts }: ClientSettings,
  streams: boolean,
  attempt: (progress: Progress) => Promise<T>,
): Promise<T> {
  const startedAt = now();
  /** When the call began; later, when bytes of its stream last arrived. */
  let aliveSince = startedAt;
  let number = 0;
  /** The start times of the retries that still count. */
  let repeatedAt: number[] = [];
  /** Whether the policy admitted the current attempt: its own refusals are not reported to it. */
  let admitted = false;
  /** Why it is unknown whether an attempt at a write arrived. */
  let doubt: AttemptError | undefined;
  const current = (): Attempt => ({ operation, streams, number, signal });
  const progress: Progress = {
    succeeded: () => policy.observe?.(current(), undefined),
    alive(at) {
      aliveSince = at;
    },
  };
  return retrying({
    signal,
    async attempt() {
      number += 1;
      admitted = false;
      policy.admit?.(current());
      admitted = true;
      try {
        return await attempt(progress);
      } catch (error) {
        // What a proxy says of the repetition does not tell whether the attempt before it arrived.
        if (doubt !== undefined && error instanceof ChatApiError && error.unspecified) throw doubt;
        if (operations[operation].writes && isUnknownOutcome(error)) doubt = error;
        throw error;
      }
    },
    next(error) {
      if (!isAttemptError(error)) return null;
      if (admitted) policy.observe?.(current(), error);
      const at = now();
      if (streams) {
        if (at - startedAt >= timeouts.stream) return null;
        repeatedAt = repeatedAt.filter((time) => at - time < repeatWindow);
      }
      const repeats = repeatedAt.length;
      const wait = policy.delay({ ...current(), error, repeats, elapsed: at - aliveSince, random });
      if (wait === null && doubt !== undefined && mayHaveArrived(error)) throw doubt;
      return wait;
    },
    async pause(delay) {
      await sleep(delay, signal);
      repeatedAt.push(now());
    },
  });
}
