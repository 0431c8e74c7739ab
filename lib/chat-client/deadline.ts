/** One attempt's abort signal: the caller's own, and a timer that is set anew for each phase of the attempt. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True once the timer has run out; an abort by the caller leaves it false. */
  readonly expired: boolean;
  /** Aborts in `milliseconds` unless set again or stopped. */
  set(milliseconds: number): void;
  stop(): void;
  /** Aborts now: frees the connection. */
  abort(): void;
  /** Forgets the caller's signal, which may outlive many attempts. */
  release(): void;
}

/** A timer of more milliseconds than this goes off at once. */
const longestTimer = 2 ** 31 - 1;

export function createDeadline(caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let expired = false;
  const abort = () => controller.abort();
  caller?.addEventListener("abort", abort, { once: true });
  if (caller?.aborted) abort();
  const stop = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    set(milliseconds) {
      stop();
      timer = setTimeout(
        () => {
          expired = true;
          abort();
        },
        Math.min(milliseconds, longestTimer),
      );
    },
    stop,
    abort,
    release() {
      stop();
      caller?.removeEventListener("abort", abort);
    },
  };
}
