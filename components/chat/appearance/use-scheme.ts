import { useSyncExternalStore } from "react";
import { pageScheme, type Scheme, watchPageScheme } from "./page-scheme.ts";

/**
 * Resolves `host` to the page's scheme. Null during server rendering, where the page's colours are unknown.
 */
export function useScheme(theme: "host" | Scheme): Scheme | null {
  const isHost = theme === "host";
  const found = useSyncExternalStore<Scheme | null>(
    isHost ? watchPageScheme : watchNothing,
    pageScheme,
    () => null,
  );
  return isHost ? found : theme;
}

const watchNothing = () => () => undefined;
