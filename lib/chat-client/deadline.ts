/** Longer delays overflow `setTimeout`, which then fires immediately. */
const longestTimer = 2 ** 31 - 1;

/** The timer of one attempt, restarted for each phase, and the caller's abort signal. */
export class Deadline {
  readonly #caller: AbortSignal | undefined;
  readonly #end: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #runsFor = 0;
  #endsAt = 0;
  #hasExpired = false;

  /** @param end Called at most once: when time is up or the caller aborts. */
  constructor(caller: AbortSignal | undefined, end: () => void) {
    this.#caller = caller;
    this.#end = end;
    caller?.addEventListener("abort", this.#abort, { once: true });
  }

  /** True after a timeout, false after an abort by the caller. */
  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  /** Ends the attempt in `milliseconds` unless the timer is restarted or stopped. */
  set(milliseconds: number): void {
    this.#endsAt = performance.now() + milliseconds;
    // A stream calls this for each delta, so a running timer is kept: it checks the time when it fires.
    if (this.#timer !== undefined && milliseconds === this.#runsFor) return;
    this.stop();
    this.#runsFor = milliseconds;
    this.#start(milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Clears the timer and stops listening to the caller's signal, which may outlive many attempts. */
  release(): void {
    this.stop();
    this.#caller?.removeEventListener("abort", this.#abort);
  }

  #start(milliseconds: number): void {
    this.#timer = setTimeout(this.#check, Math.min(milliseconds, longestTimer));
  }

  readonly #check = (): void => {
    const rest = this.#endsAt - performance.now();
    if (rest > 0) {
      this.#start(rest);
      return;
    }
    this.#hasExpired = true;
    this.#abort();
  };

  readonly #abort = (): void => {
    this.release();
    this.#end();
  };
}
