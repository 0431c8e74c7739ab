/** Counts calls in the memory of this process: without Redis, or while Redis is unavailable. */
import { type CallCounter, createCallCounter } from "./call-counter.ts";

export interface Rate {
  calls: number;
  seconds: number;
}

/** A bucket and the caller's key in it. */
export interface Count {
  /** The bucket's name. */
  bucket: string;
  rate: Rate;
  key: string;
}

export interface CountedCall {
  /** In the order of counting. A call that one bucket refuses is not counted in the later ones. */
  counts: readonly Count[];
  /** Set if a request may be repeated: then an admitted key is counted in these buckets instead. */
  repetition: { key: string; counts: readonly Count[] } | undefined;
}

export interface Refusal {
  bucket: string;
  /** Milliseconds until the bucket admits calls again. */
  wait: number;
}

/** Counts a call. Returns undefined if it is within all limits. */
export interface CallCounts {
  count(call: CountedCall): Refusal | undefined | Promise<Refusal | undefined>;
}

/** How long an admitted request is remembered: longer than a customer retries by hand. */
export const repetitionSeconds = 60 * 60;

export type ProcessCounts = ReturnType<typeof createProcessCounts>;

export function createProcessCounts(clock: () => number) {
  const counters = new Map<string, CallCounter>();
  const admitted = createCallCounter({ calls: 1, milliseconds: repetitionSeconds * 1_000, clock });

  function counterOf({ bucket, rate: { calls, seconds } }: Count): CallCounter {
    const current = counters.get(bucket);
    if (current !== undefined) return current;
    const counter = createCallCounter({ calls, milliseconds: seconds * 1_000, clock });
    counters.set(bucket, counter);
    return counter;
  }

  return {
    count({ counts, repetition }: CountedCall): Refusal | undefined {
      const isRepeated = repetition !== undefined && admitted.has(repetition.key);
      for (const count of isRepeated ? repetition.counts : counts) {
        const wait = counterOf(count).count(count.key);
        if (wait > 0) return { bucket: count.bucket, wait };
      }
      if (repetition !== undefined && !isRepeated) admitted.count(repetition.key);
      return undefined;
    },
  } satisfies CallCounts;
}
