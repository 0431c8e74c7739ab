/**
 * `npm run agent:evaluate`: the agent's score on labelled dialogues and on sentences of authors that it did
 * not learn from, with every miss, beside the last recorded version. `--record` records this one. With
 * `--model=URL --name=NAME`, the language model at an OpenAI-compatible endpoint answers the dialogues.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createShopAgent } from "../shop-agent.ts";
import { type Evaluation, evaluate, readCases } from "./evaluate.ts";
import { evaluateSplit } from "./split.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string" }, name: { type: "string" }, record: { type: "boolean" } },
});
const recorded = new URL("recorded.json", import.meta.url);
const before: Record<string, string> = JSON.parse(await readFile(recorded, "utf8"));
const now: Record<string, string> = {};
const shopOrigin = "https://shop.tarn-and-tread.example";
const agent = await agentToEvaluate();
const files = positionals.length > 0 ? positionals : ["labelled.json", "held-out.json"];
for (const file of files) {
  const cases = await readCases(fileURLToPath(new URL(file, import.meta.url)));
  print(file, await evaluate(agent, cases));
}
if (values.model === undefined && positionals.length === 0) printSplit();
if (values.record) await writeFile(recorded, `${JSON.stringify({ ...before, ...now }, null, 2)}\n`);

async function agentToEvaluate() {
  const own = createShopAgent({ shopOrigin, pace: 0 });
  if (values.model === undefined) return own;
  const { createModelAgent } = await import("../model-agent.ts");
  const endpoint = { url: values.model, name: values.name ?? "default", key: undefined };
  return createModelAgent({ shopOrigin, endpoint, fallback: own });
}

function line(name: string, value: string): string {
  now[name] = value;
  const last = before[name];
  return `${name}: ${value}${last === undefined || last === value ? "" : ` (last version: ${last})`}\n`;
}

function share(part: number, total: number): string {
  return `${part} of ${total} (${((100 * part) / total).toFixed(1)} %)`;
}

function print(name: string, { total, misses, falseClaims, byGroup }: Evaluation): void {
  process.stdout.write(line(name, share(total - misses.length, total)));
  process.stdout.write(line(`${name}, false claims`, share(falseClaims, total)));
  for (const [group, { right, total: all }] of byGroup) process.stdout.write(`  ${group} ${right}/${all}\n`);
  for (const { case: missed, faults, reply } of misses) {
    const steps = missed.dialogue.map((step) => ("say" in step ? step.say : `[${step.form} ${step.action}]`));
    const said = reply.text.replaceAll("\n", " / ").slice(0, 160);
    process.stdout.write(
      `  ${missed.language} ${missed.group}: ${steps.join(" » ")}\n    ${faults.join("; ")}\n    ${said}\n`,
    );
  }
}

function printSplit(): void {
  const split = evaluateSplit();
  process.stdout.write(
    `\nSplit by author: each of ${split.authors} authors left out once, ${split.total} sentences that need no earlier turn.\n`,
  );
  process.stdout.write(line("the right answer", share(split.sameAnswer, split.total)));
  process.stdout.write(line("the very intent", share(split.right, split.total)));
  process.stdout.write(line("a wrong answer without a doubt", share(split.falseClaims, split.total)));
  for (const [language, { right, total }] of split.byLanguage)
    process.stdout.write(line(`the right answer, ${language}`, share(right, total)));
  for (const [pair, count] of split.confusion.slice(0, 40)) process.stdout.write(`  ${count} ${pair}\n`);
}
