import { readAllLimits } from "#lib/conversation/limits.ts";
import type { ChatRuntime } from "./chat-runtime.ts";

/**
 * Reads all of the conversation on screen that has not been read yet, until another one takes its place: as far as it can
 * be read, and of a list that does not end as much as any chat has. What is missing then is what `hasOlder` says. Never
 * rejects.
 */
export async function readAll({
  getState,
  loadOlder,
}: Pick<ChatRuntime, "getState" | "loadOlder">): Promise<void> {
  const { createKey } = getState();
  let barren = 0;
  for (let step = 0; step < readAllLimits.steps && getState().history.hasOlder; step += 1) {
    const before = getState().messages.length;
    await loadOlder();
    const { createKey: shown, history, messages } = getState();
    if (shown !== createKey || history.older !== "idle") return;
    barren = messages.length > before ? 0 : barren + 1;
    if (barren === readAllLimits.barrenSteps) return;
  }
}
