/** An agent for tests: answers as the test scripts it, and records its turns. */
import type { Agent, AgentEvent, AgentTurn } from "../agents/agent.ts";

export type Script = (
  turn: AgentTurn,
  signal: AbortSignal,
) => AsyncIterable<AgentEvent> | Iterable<AgentEvent>;

export interface ScriptedAgent extends Agent {
  /** Every turn the agent received, failed attempts included. */
  readonly turns: AgentTurn[];
  /** Replaces the script for all later turns. */
  answer(script: Script): void;
}

function* echo({ trigger }: AgentTurn): Iterable<AgentEvent> {
  yield { type: "text", text: "Echo" };
  yield { type: "text", text: ": " };
  yield { type: "text", text: trigger.type === "message" ? trigger.message.text : trigger.action };
}

/** Answers "Echo: <text>" in three parts until a script replaces it. */
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

/** A gate: the script waits at it until the test opens it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Scripts a reply that waits until the returned function is called. */
export function lateReply(agent: ScriptedAgent, text = "late"): () => void {
  const { opened, open } = gate();
  agent.answer(async function* () {
    await opened;
    yield { type: "text", text };
  });
  return open;
}

/**
 * Scripts the reply "One two three." in three parts, of which the second and the third wait until the test
 * releases them.
 */
export function heldReply(agent: ScriptedAgent): { second(): void; third(): void } {
  const [second, third] = [gate(), gate()];
  agent.answer(async function* () {
    yield { type: "text", text: "One " };
    await second.opened;
    yield { type: "text", text: "two " };
    await third.opened;
    yield { type: "text", text: "three." };
  });
  return { second: second.open, third: third.open };
}
