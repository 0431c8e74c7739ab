import { useSyncExternalStore } from "react";
import { listen } from "../../../lib/engine/listen.ts";

const subscribe = (listener: () => void) => listen(window, "online offline", listener);

/** False only when the browser is certain to be offline. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}
