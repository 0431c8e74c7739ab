import type { ChatRuntime } from "../chat-runtime.ts";

/** Polls for news that the last action may bring. The panel itself reports a failure (`sync_failed`). */
export function pollSoon(runtime: Pick<ChatRuntime, "history">): void {
  runtime.history.syncSoon().catch(() => null);
}
