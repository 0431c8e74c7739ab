/** Runs the agent for one attempt. */
import type { Agent, AgentTurn } from "../agents/agent.ts";
import { untilAborted } from "../until-aborted.ts";
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
  const events = agent.reply(turn, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await untilAborted(signal, events.next());
      if (next.done === true) return draft;
      const text = draft.take(next.value);
      if (text !== "") onText(text);
    }
  } catch (error) {
    // Not awaited: the agent's own clean-up may never finish.
    void Promise.resolve(events.return?.()).catch(() => undefined);
    throw error;
  }
}
