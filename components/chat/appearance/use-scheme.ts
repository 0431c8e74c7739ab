import { useSyncExternalStore } from "react";
import { pageScheme, type Scheme, watchPageScheme } from "./page-scheme.ts";

/**
 * The chat's colour scheme; `host` resolves to the page's. Null during server rendering, where the page's
 * colours are unknown.
 */
export function useScheme(theme: "host" | Scheme | undefined): Scheme | null {
  const isHost = theme !== "light" && theme !== "dark";
  const found = useSyncExternalStore<Scheme | null>(
    isHost ? watchPageScheme : watchNothing,
    pageScheme,
    () => null,
  );
  return isHost ? found : theme;
}

/** A subscription for `useSyncExternalStore` to a value that never changes. */
const watchNothing = () => () => undefined;
