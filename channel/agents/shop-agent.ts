import type { Agent, AgentEvent, AgentTurn } from "./agent.ts";
import { openShop, type Shop } from "./knowledge/shop.ts";
import { type Sleep, sleepWithTimer, splitForStreaming } from "./pacing.ts";
import type { Answer } from "./planner/answer.ts";
import { planTurn } from "./planner/plan.ts";

export interface ShopAgentOptions {
  /** The shop's content folder. */
  shopDir: string;
  /** The shop's address, for links and pictures: without a slash at its end. */
  shopOrigin: string;
  /** Milliseconds between two deltas; 0 sends them at once. */
  pace: number;
  /** How to wait; a timer unless given. */
  sleep?: Sleep;
}

/**
 * The shop's own agent: understands the customer by rules of language and search, answers from the shop's content, and
 * needs no model and no network. Rejects when the content cannot be read.
 */
export async function createShopAgent(options: ShopAgentOptions): Promise<Agent> {
  const { shopDir, shopOrigin, pace, sleep = sleepWithTimer } = options;
  const shop = await openShop({ shopDir, shopOrigin });
  return { reply: (turn, signal) => streamAnswer(turn, { shop, pace, sleep, signal }) };
}

interface Streaming {
  shop: Shop;
  pace: number;
  sleep: Sleep;
  signal: AbortSignal;
}

async function* streamAnswer(
  turn: AgentTurn,
  { shop, pace, sleep, signal }: Streaming,
): AsyncGenerator<AgentEvent> {
  const { answer, manner, language } = planTurn(turn, shop);
  // An agent without a pace does not wait at all: neither between deltas nor to show how waiting looks.
  const between = pace === 0 ? 0 : (manner.betweenDeltas ?? pace);
  if (pace > 0 && manner.thinksFor) await sleep(manner.thinksFor, signal);
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
