import type { Agent, AgentEvent, AgentTurn } from "../channel/agents/agent.ts";
import { openShop } from "./knowledge/shop.ts";
import { type Sleep, sleepWithTimer, splitForStreaming } from "./pacing.ts";
import type { Answer } from "./planner/answer.ts";
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
 * The shop's own agent: understands the customer by rules of language and search, answers from the shop's
 * content, and needs no model and no network. It plans the whole answer first (`plan`), then streams it.
 */
export function createPlannedAgent(options: PlannedAgentOptions): Agent {
  return { reply: (turn, signal) => streamAnswer(turn, { ...options, signal }) };
}

export interface ShopAgentOptions extends Pacing {
  /** The shop's address, for links and pictures, without a trailing slash. */
  shopOrigin: string;
}

/** The shop's agent, planning in the calling thread: for tests and the evaluation. */
export function createShopAgent({ shopOrigin, ...pacing }: ShopAgentOptions): Agent {
  const shop = openShop(shopOrigin);
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
  yield* attachmentsOf(answer);
}

function* attachmentsOf(answer: Answer): Iterable<AgentEvent> {
  if (answer.citations) yield { type: "citations", citations: answer.citations };
  if (answer.products) yield { type: "products", products: answer.products };
  if (answer.orders) yield { type: "orders", orders: answer.orders };
  if (answer.choices) yield { type: "choices", choices: answer.choices };
  if (answer.form) yield { type: "request_form", form: answer.form };
  if (answer.offer) yield { type: "offer_handoff", ...answer.offer };
  if (answer.ask) yield { type: "ask", text: answer.ask };
}
