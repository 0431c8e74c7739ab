/** The timer of one attempt, restarted for each phase, and the caller's abort signal. */
export type Deadline = ReturnType<typeof createDeadline>;

/** Longer delays overflow `setTimeout`, which then fires immediately. */
const longestTimer = 2 ** 31 - 1;

/** @param end Called once at most: time is up, or the caller has aborted. */
export function createDeadline(caller: AbortSignal | undefined, end: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let runsFor = 0;
  let endsAt = 0;
  let expired = false;

  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const start = (milliseconds: number) => {
    timer = setTimeout(check, Math.min(milliseconds, longestTimer));
  };
  const check = () => {
    const left = endsAt - performance.now();
    if (left > 0) return start(left);
    expired = true;
    abort();
  };
  const release = () => {
    stop();
    caller?.removeEventListener("abort", abort);
  };
  const abort = () => {
    release();
    end();
  };
  caller?.addEventListener("abort", abort, { once: true });

  return {
    /** True after a timeout, false after an abort by the caller. */
    hasExpired: () => expired,
    /** Ends the attempt in `milliseconds` unless the timer is restarted or stopped. */
    set(milliseconds: number) {
      endsAt = performance.now() + milliseconds;
      // Set again for each delta of a stream, so a running timer is left alone: it checks the time when it
      // fires.
      if (timer !== undefined && milliseconds === runsFor) return;
      stop();
      runsFor = milliseconds;
      start(milliseconds);
    },
    stop,
    /** Clears the timer and stops listening to the caller's signal, which may outlive many attempts. */
    release,
  };
}
