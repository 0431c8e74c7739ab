import type { ChatRuntime } from "../chat-runtime.ts";
import { readAllLimits } from "../limits.ts";

/**
 * Reads all earlier messages of the conversation on screen until another one replaces it, a read fails or
 * `readAllLimits` ends an endless list. `hasOlder` is true if any are missing. Never rejects.
 */
export async function readAll({
  getState,
  history: { loadOlder },
}: Pick<ChatRuntime, "getState" | "history">): Promise<void> {
  const { createKey } = getState();
  let emptySteps = 0;
  for (let step = 0; step < readAllLimits.steps && getState().history.hasOlder; step += 1) {
    const before = getState().messages.length;
    await loadOlder();
    const { createKey: shown, history, messages } = getState();
    if (shown !== createKey || history.older !== "idle") return;
    emptySteps = messages.length > before ? 0 : emptySteps + 1;
    if (emptySteps === readAllLimits.emptySteps) return;
  }
}
