/**
 * Serves the model as a foreign Chat API for the contract tests: `node e2e/simulation/serve-model.ts` prints
 * its address and keys as JSON. `--fault NAME` breaks one rule (`contract-faults.ts`). The model was
 * written from the specification alone. It looks into no file, and sends no headers for browsers.
 */
import { createAdaptorServer } from "@hono/node-server";
import { answerTo } from "./agent.ts";
import { faults } from "./contract-faults.ts";
import { putIn } from "./mutants.ts";

const [option, fault = ""] = process.argv.slice(2);
if (option === "--fault") putIn(fault, faults);
const { createModel } = await import("./model.ts");

/** The words of the simulation's agent by those of the sandbox agent. */
const words: Record<string, string> = {
  form: "form",
  offer: "team",
  "offer email": "email",
  "offer form": "details",
  question: "question",
  fail: "fail",
};
const help = [...Object.keys(words), "close"].map((word) => `${word}: as in the sandbox\n`);

function answer(given: string) {
  const said = { deltas: given === "help" ? help : ["Echo", ": ", given] };
  const { deltas: _, ...brought } = answerTo(words[given] ?? "");
  return { ...said, ...brought, ...(given === "close" && { closes: true as const }) };
}

const keys = { channelKey: "dep_the_model", chatKey: "ck_model_of_the_chat_api" };
const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const model = createModel({ ...keys, now: Date.now, sleep, pace: 1, answer });
const server = createAdaptorServer({ fetch: model.fetch });
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}`, ...keys })}\n`);
});
