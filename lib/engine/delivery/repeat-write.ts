import { retrying } from "../../chat-client/retry.ts";
import { type Failure, type FailureOf, failure } from "../failure.ts";
import { countFailure, type FailedAttempts, nextStep } from "../outbox/delivery-rules.ts";
import { endOfWait, type Pauses } from "../pauses.ts";

export interface RepeatDeps extends Pick<Pauses, "sleep"> {
  /** Ends the repetitions. */
  signal: AbortSignal;
  isOnline(): boolean;
  failureOf: FailureOf;
}

/**
 * Repeats a write under the same key for as long as `nextStep` says so. Rejects with the last error when the
 * customer has to decide, or after the signal. `onWaiting` receives the reason for each wait, and null when
 * it ends.
 */
export function repeatWrite<T>(
  { signal, sleep, isOnline, failureOf }: RepeatDeps,
  attempt: () => Promise<T>,
  onWaiting: (failure: Failure | null) => void = () => undefined,
): Promise<T> {
  let attempts: FailedAttempts | null = null;
  let last = failure("page_error");
  return retrying({
    attempt,
    signal,
    next(error) {
      last = failureOf(error);
      attempts = countFailure(attempts, last.code, Date.now());
      const step = nextStep(last, attempts, Date.now(), !isOnline());
      if (step.step !== "resend") return null;
      onWaiting(last);
      return step.after;
    },
    async pause(wait) {
      await sleep(wait, endOfWait(last));
      if (!signal.aborted) onWaiting(null);
    },
  });
}
