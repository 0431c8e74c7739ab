import type { Agent, AgentEvent, AgentTurn } from "../channel/agents/agent.ts";
import { eventsAfterText } from "./answer.ts";
import type { Shop } from "./knowledge/shop.ts";
import { type Sleep, sleepWithTimer, splitForStreaming } from "./pacing.ts";
import { type Plan, planTurn } from "./planner/plan.ts";

interface Pacing {
  /** Milliseconds between two deltas; 0 sends them at once. */
  pace: number;
  /** Waits between deltas; uses a timer by default. */
  sleep?: Sleep;
}

export interface PlannedAgentOptions extends Pacing {
  plan(turn: AgentTurn): Plan | Promise<Plan>;
}

/**
 * The shop's own agent: learned from examples what customers want, answers from the shop's content, and needs
 * no model and no network. It plans the whole answer first (`plan`), then streams it.
 */
export function createPlannedAgent(options: PlannedAgentOptions): Agent {
  return { reply: (turn, signal) => streamAnswer(turn, { ...options, signal }) };
}

/** The shop's agent, planning in the calling thread: for tests and the evaluation. */
export function createShopAgent({ shop, ...pacing }: Pacing & { shop: Shop }): Agent {
  return createPlannedAgent({ ...pacing, plan: (turn) => planTurn(turn, shop) });
}

async function* streamAnswer(
  turn: AgentTurn,
  { plan, pace, sleep = sleepWithTimer, signal }: PlannedAgentOptions & { signal: AbortSignal },
): AsyncGenerator<AgentEvent> {
  const { answer, manner, language } = await plan(turn);
  // Without a pace, or a reader of the stream, it never waits, not even in demonstrations of waiting.
  const isPaced = pace > 0 && turn.isStreamed;
  const between = isPaced ? (manner.betweenDeltas ?? pace) : 0;
  if (isPaced && manner.thinksFor) await sleep(manner.thinksFor, signal);
  let first = true;
  for (const text of manner.deltas ?? splitForStreaming(answer.text, language)) {
    if (!first && between > 0) await sleep(between, signal);
    if (signal.aborted) return;
    first = false;
    yield { type: "text", text };
  }
  yield* eventsAfterText(answer);
}
