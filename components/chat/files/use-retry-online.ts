import { useEffect, useEffectEvent } from "react";
import { listen } from "../../../lib/engine/listen.ts";

/** Retries a failed action when the network returns. */
export function useRetryOnline(hasFailed: boolean, retry: () => void): void {
  // The event renders the chat again between its listeners, so a replaced listener would miss it.
  const onOnline = useEffectEvent(retry);
  useEffect(() => (hasFailed ? listen(window, "online", () => onOnline()) : undefined), [hasFailed]);
}
