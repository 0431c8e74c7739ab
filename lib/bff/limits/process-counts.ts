/** Counts calls in the memory of this process: without Redis, or while Redis is unavailable. */
import { type CallCounter, createCallCounter } from "./call-counter.ts";

/** A bucket and the caller's key in it. */
export interface Count {
  /** The bucket's name. */
  bucket: string;
  key: string;
  seconds: number;
  /** The calls that the bucket admits. For a share: those after which the next bucket applies `busyCalls`. */
  calls: number;
  /** The calls that a total admits from a network that has used up its share; `share` for that share. */
  busyCalls: number | "share";
}

export interface Refusal {
  bucket: string;
  /** Milliseconds until the bucket admits calls again. */
  wait: number;
}

/** Undoes the count of a call that has created nothing, in its own windows alone. Called once. */
export type GiveBack = () => void;

/** Counts a call in all buckets if it is within all limits, otherwise in none. */
export interface CallCounts {
  count(counts: readonly Count[]): Refusal | GiveBack | Promise<Refusal | GiveBack>;
}

export type ProcessCounts = ReturnType<typeof createProcessCounts>;

export function createProcessCounts(clock: () => number) {
  const counters = new Map<string, CallCounter>();

  function counterOf({ bucket, seconds }: Count): CallCounter {
    const counter = counters.get(bucket) ?? createCallCounter({ milliseconds: seconds * 1_000, clock });
    counters.set(bucket, counter);
    return counter;
  }

  return {
    count(counts: readonly Count[]): Refusal | GiveBack {
      let isBusy = false;
      for (const count of counts) {
        const { bucket, key, calls, busyCalls } = count;
        const counter = counterOf(count);
        const used = counter.calls(key);
        if (busyCalls === "share") isBusy = used >= calls;
        else if (used >= (isBusy ? busyCalls : calls)) return { bucket, wait: counter.wait(key) };
      }
      const added = counts.map((count) => counterOf(count).add(count.key));
      return () => {
        for (const takeAway of added) takeAway();
      };
    },
  } satisfies CallCounts;
}
