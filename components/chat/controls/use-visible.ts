import { useEffect, useSyncExternalStore } from "react";

/**
 * When the customer returns to the tab, `visibilitychange` and `focus` fire within this many milliseconds.
 */
const sameReturn = 500;

function subscribe(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

export function isVisibleNow(): boolean {
  return document.visibilityState === "visible";
}

export function useVisible(): boolean {
  return useSyncExternalStore(subscribe, isVisibleNow, () => true);
}

/** Calls back when the customer returns to the page from another tab or another window. */
export function useReturn(onReturn: () => unknown): void {
  useEffect(() => {
    let last = Number.NEGATIVE_INFINITY;
    const listener = () => {
      if (!isVisibleNow() || performance.now() - last < sameReturn) return;
      last = performance.now();
      onReturn();
    };
    window.addEventListener("focus", listener);
    const unsubscribe = subscribe(listener);
    return () => {
      window.removeEventListener("focus", listener);
      unsubscribe();
    };
  }, [onReturn]);
}
