import { useCallback, useSyncExternalStore } from "react";

/** Whole seconds until `at` (milliseconds since 1970), counting down to 0; 0 for null. */
export function useSecondsUntil(at: number | null): number {
  const secondsLeft = () => (at === null ? 0 : Math.max(0, Math.ceil((at - Date.now()) / 1_000)));
  const subscribe = useCallback(
    (onTick: () => void) => {
      if (at === null) return () => undefined;
      const timer = setInterval(() => {
        onTick();
        if (Date.now() >= at) clearInterval(timer);
      }, 250);
      return () => clearInterval(timer);
    },
    [at],
  );
  return useSyncExternalStore(subscribe, secondsLeft, secondsLeft);
}
