/** The thread that `openPlanThread` starts. An error ends it. */
import { parentPort, workerData } from "node:worker_threads";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import { openShop } from "../knowledge/shop.ts";
import { planTurn } from "./plan.ts";
import { rehearse } from "./rehearse.ts";

// The shop's address, given by `openPlanThread`, as are the turns.
const shop = openShop(workerData as string);
parentPort?.on("message", (turn: AgentTurn) => parentPort?.postMessage(planTurn(turn, shop)));
rehearse(shop);
parentPort?.postMessage("ready");
