/** The entry point of the demo's agent: the channel loads this module (`channel/agents/load-agent.ts`). */
import type { Agent } from "../channel/agents/agent.ts";
import type { AgentOptions } from "../channel/agents/load-agent.ts";
import { openPlanThread } from "./planner/plan-thread.ts";
import { createPlannedAgent } from "./shop-agent.ts";

/** The shop's agent, or the configured language model with the shop's agent as its fallback. */
export async function createAgent({ shopOrigin, agentPace, model }: AgentOptions): Promise<Agent> {
  const plan = await openPlanThread({ shopOrigin });
  const shopAgent = createPlannedAgent({ plan, pace: agentPace });
  if (model === undefined) return shopAgent;
  // Imported only if a model is configured, because its library slows down the start.
  const [{ createModelAgent }, { openShop }] = await Promise.all([
    import("./model-agent.ts"),
    import("./knowledge/shop.ts"),
  ]);
  return createModelAgent({ shop: openShop(shopOrigin), endpoint: model, fallback: shopAgent });
}
