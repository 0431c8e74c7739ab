import * as conversationLimits from "./limits.ts";
import type { Pauses } from "./pauses.ts";

/**
 * A part of the engine that loads on use. `load` starts that; without the network it is tried again after a
 * while or when the network returns. `onReady` is called once.
 */
export function lazyPart<T>(
  { sleep }: Pick<Pauses, "sleep">,
  create: () => Promise<T>,
  onReady: (part: T) => void,
): { get(): T | null; load(): void } {
  let part: T | null = null;
  let isLoading = false;

  async function load(tries: number): Promise<void> {
    try {
      part = await create();
      onReady(part);
    } catch {
      // No network, or a deployment has removed this version's files.
      const { readWaits } = conversationLimits;
      await sleep(readWaits[Math.min(tries, readWaits.length - 1)] ?? 0);
      await load(tries + 1);
    }
  }

  return {
    get: () => part,
    load() {
      if (isLoading) return;
      isLoading = true;
      void load(0);
    },
  };
}
