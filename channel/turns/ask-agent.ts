/** Runs the agent for one attempt. */
import type { Agent, AgentTurn } from "../agents/agent.ts";
import { ReplyDraft } from "./reply-draft.ts";

/**
 * The whole reply, of which `onText` gets each part as it comes. Rejects with the signal's reason as soon as it aborts:
 * an agent that does not listen to the signal is left behind.
 */
export async function askAgent(
  agent: Agent,
  turn: AgentTurn,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<ReplyDraft> {
  const draft = new ReplyDraft();
  const aborted = Promise.withResolvers<never>();
  // It may reject while nobody waits for it.
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
    // The agent's own cleaning up may never come to an end.
    void Promise.resolve(events.return?.()).catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
