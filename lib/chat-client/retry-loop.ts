/** Counts the attempts of one call and applies the policy's decisions. */
import { ChatApiError } from "../chat-api/errors.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import type { Call } from "./request.ts";
import type { Attempt, AttemptError } from "./retry-policy.ts";

/**
 * Retries of a stream older than this no longer count, because a long stream may be interrupted often.
 * Milliseconds.
 */
const repeatWindow = 60_000;

export type RetryLoop = ReturnType<typeof createRetryLoop>;

function isAttemptError(error: unknown): error is AttemptError {
  return (
    error instanceof ChatApiError || error instanceof ChatConnectionError || error instanceof ContractError
  );
}

export function createRetryLoop(call: Call, settings: ClientSettings, streams: boolean) {
  const { retry: policy, now, random } = settings;
  const startedAt = now();
  /** When the call began; later, when bytes of its stream last arrived. */
  let aliveSince = startedAt;
  /** Incremented with each attempt of the call. */
  let number = 0;
  /** The start times of the retries that still count; each failure of a stream drops old ones. */
  let repeatedAt: number[] = [];
  /** Whether the policy admitted the current attempt: its own refusals are not reported to it. */
  let admitted = false;

  const attempt = (): Attempt => ({ operation: call.operation, streams, number, signal: call.signal });

  return {
    /** Runs before each attempt. Throws the policy's refusal. */
    async admit() {
      number += 1;
      admitted = false;
      await policy.admit?.(attempt());
      admitted = true;
    },
    /** A success has begun to arrive. */
    succeeded: () => policy.observe?.(attempt(), undefined),
    /** Bytes of a stream arrived at this time, which resets its time budget. */
    alive(at: number) {
      aliveSince = at;
    },
    /**
     * Runs after a failed attempt. Resolves when the next one is due; throws `error` if there is none, or the
     * caller's abort reason.
     */
    async failed(error: unknown) {
      if (!isAttemptError(error)) throw error;
      if (admitted) policy.observe?.(attempt(), error);
      const at = now();
      if (streams) {
        if (at - startedAt >= settings.timeouts.stream) throw error;
        repeatedAt = repeatedAt.filter((time) => at - time < repeatWindow);
      }
      const repeats = repeatedAt.length;
      const delay = policy.delay({ ...attempt(), error, repeats, elapsed: at - aliveSince, random });
      if (delay === null) throw error;
      await settings.sleep(delay, call.signal);
      call.signal?.throwIfAborted();
      repeatedAt.push(now());
    },
  };
}
