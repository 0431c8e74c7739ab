import { newKey } from "../new-key.ts";
import type { KeptAttempt } from "../state/forms-state.ts";

/**
 * The idempotency key for a request: that of an earlier attempt at an equal request with an unknown outcome,
 * else a new one. Kept in the tab's storage, so pressing the button after a reload repeats the request.
 */
export function attemptAt(kept: KeptAttempt | null, request: string): KeptAttempt {
  return kept?.request === request ? kept : { key: newKey(), request };
}
