/**
 * The agent's score on labelled dialogues and on sentences of authors that it did not learn from, with every
 * miss, beside the last recorded version. `--record` records this one. With `--model=URL --name=NAME` (and
 * `--key=KEY`), the language model at an OpenAI-compatible endpoint answers the dialogues. Files with other
 * dialogues can be given.
 */
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { openShop } from "../knowledge/shop.ts";
import { createShopAgent } from "../shop-agent.ts";
import { evaluate, readCases } from "./evaluate.ts";
import { evaluateSplit } from "./split.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ model: { type: "string" }, name: { type: "string" }, key: { type: "string" } },
    record: { type: "boolean" },
  },
});
const { model, name = "default", key } = values;
const write = (text: string) => process.stdout.write(`${text}\n`);
const recorded = new URL("recorded.json", import.meta.url);
const before: Record<string, string> = JSON.parse(await readFile(recorded, "utf8"));
const now: Record<string, string> = {};
const shop = openShop("https://shop.tarn-and-tread.example");
const own = createShopAgent({ shop, pace: 0 });
const agent =
  model === undefined
    ? own
    : (await import("../model-agent.ts")).createModelAgent({
        shop,
        endpoint: { url: model, name, key },
        fallback: own,
      });
const files =
  positionals.length > 0
    ? positionals.map((path) => pathToFileURL(path))
    : ["labelled.json", "held-out.json"].map((file) => new URL(file, import.meta.url));
for (const file of files) await reportDialogues(file);
if (model === undefined && positionals.length === 0) reportSplit();
if (values.record) await writeFile(recorded, `${JSON.stringify({ ...before, ...now }, null, 2)}\n`);

/** Writes a figure beside that of the last version. */
function report(figure: string, part: number, total: number): void {
  const title = model === undefined ? figure : `${figure}, by the model ${name}`;
  const share = `${part} of ${total} (${((100 * part) / total).toFixed(1)} %)`;
  now[title] = share;
  const last = before[title];
  write(`${title}: ${share}${last === undefined || last === share ? "" : ` (last version: ${last})`}`);
}

async function reportDialogues(file: URL): Promise<void> {
  const cases = await readCases(file);
  const { total, misses, falseClaims, byGroup } = await evaluate(agent, cases, shop.languageOf);
  const title = file.pathname.split("/").at(-1) ?? "";
  report(title, total - misses.length, total);
  report(`${title}, false claims`, falseClaims, total);
  for (const [group, { right, total: all }] of byGroup) write(`  ${group} ${right}/${all}`);
  for (const { case: missed, faults, reply } of misses) {
    const steps = missed.dialogue.map((step) => ("say" in step ? step.say : `[${step.form} ${step.action}]`));
    const cards = [...reply.citations.map(({ url }) => url), ...reply.products.map(({ id }) => id)].join(" ");
    write(
      `  ${missed.language} ${missed.group}: ${steps.join(" » ")}\n    not as expected: ${faults.join(", ")}`,
    );
    write(`    ${reply.text.replaceAll("\n", " / ").slice(0, 160)} ${cards}`);
  }
}

function reportSplit(): void {
  const { authors, total, right, exact, falseClaims, byLanguage, confusion } = evaluateSplit();
  write(
    `\nSplit by author: each of ${authors} authors left out once, ${total} sentences that need no earlier turn.`,
  );
  report("the right answer", right, total);
  report("the very intent", exact, total);
  report("a wrong answer without a doubt", falseClaims, total);
  for (const [language, count] of byLanguage)
    report(`the right answer, ${language}`, count.right, count.total);
  for (const [pair, count] of confusion.slice(0, 40)) write(`  ${count} ${pair}`);
}
