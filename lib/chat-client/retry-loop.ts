/** Keeps count of one call's attempts and puts the policy's decisions into effect. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { ChatConnectionError, ContractError } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import type { Call } from "./request.ts";
import type { Attempt, AttemptError } from "./retry-policy.ts";

/** A stream may live long and be cut often: repetitions older than this no longer count against it. Milliseconds. */
const repeatWindow = 60_000;

export interface RetryLoop {
  /** Before each attempt. Throws what the policy refuses with. */
  admit(): Promise<void>;
  /** A success has begun to arrive. */
  succeeded(): void;
  /** Bytes of a stream have arrived: the time that counts against its budget begins again. */
  alive(): void;
  /**
   * After a failed attempt. Resolves when the next one shall begin; throws `error` when there shall be none, or the
   * caller's abort reason.
   */
  failed(error: unknown): Promise<void>;
}

function isAttemptError(error: unknown): error is AttemptError {
  return (
    error instanceof ChatApiError || error instanceof ChatConnectionError || error instanceof ContractError
  );
}

export function createRetryLoop(call: Call, settings: ClientSettings, streams: boolean): RetryLoop {
  const { retry: policy, now, random } = settings;
  const startedAt = now();
  /** Set anew by `alive`. */
  let aliveSince = startedAt;
  /** Counts up with each attempt of the call. */
  let number = 0;
  /** When the repetitions that still count began; of a stream, old ones are dropped at each failure. */
  let repeatedAt: number[] = [];
  /** Whether the policy admitted the current attempt: it hears nothing of what it refused itself. */
  let admitted = false;

  const attempt = (): Attempt => ({ operation: call.operation, streams, number, signal: call.signal });

  return {
    async admit() {
      number += 1;
      admitted = false;
      await policy.admit?.(attempt());
      admitted = true;
    },
    succeeded: () => policy.observe?.(attempt(), undefined),
    alive() {
      aliveSince = now();
    },
    async failed(error) {
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
      call.onRetry?.({ error, delay, number });
      await settings.sleep(delay, call.signal);
      call.signal?.throwIfAborted();
      repeatedAt.push(now());
    },
  };
}
