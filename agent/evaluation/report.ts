/** `npm run agent:evaluate [file]`: the agent's score by language and kind of question, and every miss. */
import { fileURLToPath } from "node:url";
import { createShopAgent } from "../shop-agent.ts";
import { type Evaluation, evaluate, readCases } from "./evaluate.ts";

const files = process.argv.slice(2);
const agent = createShopAgent({ shopOrigin: "https://shop.tarn-and-tread.example", pace: 0 });
for (const file of files.length > 0 ? files : ["labelled.json", "held-out.json"]) {
  const cases = await readCases(fileURLToPath(new URL(file, import.meta.url)));
  process.stdout.write(reportOf(file, await evaluate(agent, cases)));
}

function reportOf(name: string, { total, misses, byGroup }: Evaluation): string {
  const right = total - misses.length;
  const groups = [...byGroup].map(([group, count]) => `  ${group} ${count.right}/${count.total}`);
  const lines = misses.map(({ case: missed, faults, reply }) => {
    const steps = missed.dialogue.map((step) => ("say" in step ? step.say : `[${step.form} ${step.action}]`));
    return `  ${missed.language} ${missed.group}: ${steps.join(" » ")}\n    ${faults.join("; ")}\n    ${reply.text.replaceAll("\n", " / ").slice(0, 160)}`;
  });
  return `${name}: ${right} of ${total} (${((100 * right) / total).toFixed(1)} %)\n${groups.join("\n")}\n${lines.join("\n")}\n`;
}
