/** Runs the agent for one attempt. */
import type { Agent, AgentTurn } from "../agents/agent.ts";
import { ReplyDraft } from "./reply-draft.ts";

/**
 * Runs the agent and collects its reply; `onText` receives each part as it arrives. Rejects with the signal's
 * reason as soon as it aborts, even if the agent ignores the signal.
 */
export async function askAgent(
  agent: Agent,
  turn: AgentTurn,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<ReplyDraft> {
  const draft = new ReplyDraft();
  const aborted = Promise.withResolvers<never>();
  // Without a handler, a rejection while nobody awaits the promise would end the process.
  aborted.promise.catch(() => undefined);
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const events = agent.reply(turn, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([events.next(), aborted.promise]);
      if (next.done === true) return draft;
      const text = draft.take(next.value);
      if (text !== "") onText(text);
    }
  } catch (error) {
    // Not awaited: the agent's own clean-up may never finish.
    void Promise.resolve(events.return?.()).catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
