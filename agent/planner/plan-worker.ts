/** The thread that `openPlanThread` starts. */
import { parentPort, workerData } from "node:worker_threads";
import type { AgentTurn } from "../../channel/agents/agent.ts";
import { openShop } from "../knowledge/shop.ts";
import { languages } from "../language/languages.ts";
import { listOf } from "../language/replies.ts";
import { recallDialogue } from "../understanding/recall-dialogue.ts";
import { understand } from "../understanding/understand.ts";
import { planTurn } from "./plan.ts";
import type { PlanAnswer } from "./plan-thread.ts";

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
// The first message in a language takes several times as long as the next: it is none of a customer's.
for (const language of languages)
  for (const text of listOf(language, "helloChoices"))
    understand(text, recallDialogue([], language, shop), shop);
parentPort?.postMessage("ready");
