import type { Failure, FailureOf } from "../failure.ts";
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
export async function repeatWrite<T>(
  { signal, sleep, isOnline, failureOf }: RepeatDeps,
  attempt: () => Promise<T>,
  onWaiting: (failure: Failure | null) => void = () => undefined,
): Promise<T> {
  let attempts: FailedAttempts | null = null;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const failure = failureOf(error);
      attempts = countFailure(attempts, failure.code, Date.now());
      const step = nextStep(failure, attempts, Date.now(), !isOnline());
      if (step.step !== "resend" || signal.aborted) throw error;
      onWaiting(failure);
      await sleep(step.after, endOfWait(failure));
      if (signal.aborted) throw error;
      onWaiting(null);
    }
  }
}
