import type { FailureOf } from "./failure.ts";
import { readWaits } from "./limits.ts";
import { isLoadError } from "./load-error.ts";
import type { Pauses } from "./pauses.ts";

/**
 * A part of the engine that loads on use. `load` starts that; without the network it is tried again after a
 * while or when the network returns, until the room is closed; `onWait` is called with that time, in
 * milliseconds since 1970. An unknown error is reported. `onReady` is called once, and not in a closed room.
 * `whenLoaded` acts at once, and returns the result, or in the same order after `onReady`.
 */
export function lazyPart<T extends object>(
  { sleep, signal, failureOf }: Pick<Pauses, "sleep"> & { signal: AbortSignal; failureOf: FailureOf },
  create: () => Promise<T>,
  onReady: (part: T) => void,
  onWait?: (until: number) => void,
): { get(): T | null; load(): void; whenLoaded<R>(act: (part: T) => R): R | undefined } {
  let part: T | null = null;
  const waiting: ((part: T) => unknown)[] = [];
  let isLoading = false;

  async function load(): Promise<void> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      const created = await create().catch((error: unknown) => {
        // A server that restarts cannot say at once whether it lacks this part.
        if (tries === 0 || isLoadError(error)) failureOf(error);
        return null;
      });
      if (signal.aborted) return;
      if (created !== null) {
        part = created;
        onReady(created);
        for (const act of waiting.splice(0)) act(created);
        return;
      }
      const wait = readWaits[Math.min(tries, readWaits.length - 1)] ?? 0;
      onWait?.(Date.now() + wait);
      await sleep(wait);
    }
  }

  const start = (): void => {
    if (isLoading) return;
    isLoading = true;
    load().catch(failureOf);
  };

  return {
    get: () => part,
    load: start,
    whenLoaded(act) {
      if (part !== null) return act(part);
      waiting.push(act);
      start();
      return undefined;
    },
  };
}
