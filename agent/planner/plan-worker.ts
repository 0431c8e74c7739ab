/** The thread that `openPlanThread` starts. */
import { parentPort, workerData } from "node:worker_threads";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import { openShop } from "../knowledge/shop.ts";
import { planTurn } from "./plan.ts";
import type { PlanAnswer } from "./plan-thread.ts";
import { rehearse } from "./rehearse.ts";

// The shop's address, given by `openPlanThread`, as are the turns.
const shop = openShop(workerData as string);

function answer(turn: AgentTurn): PlanAnswer {
  try {
    return { plan: planTurn(turn, shop) };
  } catch (error) {
    return { failure: error instanceof Error ? `${error.name}: ${error.message}` : "unknown" };
  }
}

parentPort?.on("message", (turn: AgentTurn) => parentPort?.postMessage(answer(turn)));
rehearse(shop);
parentPort?.postMessage("ready");
