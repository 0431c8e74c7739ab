import { useCallback, useMemo, useSyncExternalStore } from "react";

/** Whole seconds until `at` (milliseconds since 1970), counting down to 0; 0 for null. */
export function useSecondsUntil(at: number | null): number {
  // `performance.now()`, because the customer's clock may be set back meanwhile.
  const end = useMemo(() => (at === null ? 0 : performance.now() + at - Date.now()), [at]);
  const secondsLeft = () => {
    const remaining = at === null ? 0 : Math.min(at - Date.now(), end - performance.now());
    return Math.max(0, Math.ceil(remaining / 1_000));
  };
  const subscribe = useCallback(
    (onTick: () => void) => {
      if (at === null) return () => undefined;
      const timer = setInterval(() => {
        onTick();
        if (performance.now() >= end) clearInterval(timer);
      }, 250);
      return () => clearInterval(timer);
    },
    [at, end],
  );
  return useSyncExternalStore(subscribe, secondsLeft, secondsLeft);
}
