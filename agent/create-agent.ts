/** The demo's agent, as the channel loads it (`channel/agents/load-agent.ts`). */
import type { Agent } from "../channel/agents/agent.ts";
import type { AgentOptions } from "../channel/agents/load-agent.ts";
import { openPlanThread } from "./planner/plan-thread.ts";
import { createPlannedAgent } from "./shop-agent.ts";

/** About ten words a second, for human readers. Milliseconds between two deltas. */
const humanPace = 45;

/** The shop's agent, or the configured language model with the shop's agent as its fallback. */
export async function createAgent({ shopOrigin, agentPace, model }: AgentOptions): Promise<Agent> {
  const plan = await openPlanThread({ shopOrigin });
  const shopAgent = createPlannedAgent({ plan, pace: agentPace ?? humanPace });
  if (model === undefined) return shopAgent;
  // Loaded only where it is used: its library slows down every start.
  const { createModelAgent } = await import("./model-agent.ts");
  return createModelAgent({ shopOrigin, endpoint: model, fallback: shopAgent });
}
