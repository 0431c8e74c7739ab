import { useEffect, useEffectEvent } from "react";

/** Retries a failed action when the network returns. */
export function useRetryOnline(hasFailed: boolean, retry: () => void): void {
  // The event renders the chat again between its listeners, so a replaced listener would miss it.
  const onOnline = useEffectEvent(retry);
  useEffect(() => {
    if (!hasFailed) return;
    const listener = () => onOnline();
    window.addEventListener("online", listener);
    return () => window.removeEventListener("online", listener);
  }, [hasFailed]);
}
