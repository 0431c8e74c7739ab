/** An agent for tests: it answers what the test tells it to, and counts how often it is asked. */
import type { Agent, AgentEvent, AgentTurn } from "../agents/agent.ts";

export type Script = (
  turn: AgentTurn,
  signal: AbortSignal,
) => AsyncIterable<AgentEvent> | Iterable<AgentEvent>;

export interface ScriptedAgent extends Agent {
  /** Every turn that the agent was asked for, attempts that failed included. */
  readonly turns: AgentTurn[];
  /** Replaces what it answers from now on. */
  answer(script: Script): void;
}

/** Answers "Echo: <text>" in three parts until it is told otherwise. */
export function scriptedAgent(): ScriptedAgent {
  const turns: AgentTurn[] = [];
  let script: Script = echo;
  return {
    turns,
    answer(next) {
      script = next;
    },
    async *reply(turn, signal) {
      turns.push(turn);
      yield* script(turn, signal);
    },
  };
}

function* echo(turn: AgentTurn): Iterable<AgentEvent> {
  const text = turn.trigger.type === "message" ? turn.trigger.message.text : turn.trigger.action;
  yield { type: "text", text: "Echo" };
  yield { type: "text", text: ": " };
  yield { type: "text", text };
}

/** A gate that a script waits at until the test opens it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
