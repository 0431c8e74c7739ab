import { useSyncExternalStore } from "react";
import { listen } from "../../../lib/engine/listen.ts";

/** The path of the page's address, also when a page changes it without loading. */
export function usePath(): string {
  return useSyncExternalStore(watchPath, () => window.location.pathname);
}

function watchPath(onChange: () => void): () => void {
  // Browsers before 2026 may lack it: there the path is that of the page that has loaded.
  const { navigation }: { name: string; navigation?: EventTarget } = window;
  return listen(navigation, "currententrychange", onChange);
}
