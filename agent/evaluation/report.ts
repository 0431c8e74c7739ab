/**
 * The agent's score on labelled dialogues and on sentences of authors that it did not learn from, with every
 * miss. `--record` records from which confidence an intent is answered (`understanding/bounds.json`). Files
 * with other dialogues can be given.
 */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { openShop } from "../knowledge/shop.ts";
import { rows } from "../learning/intents.ts";
import { createShopAgent } from "../testing/turns.ts";
import { isAbout, sure } from "../understanding/understand.ts";
import { evaluate, isClaim, readCases } from "./evaluate.ts";
import { evaluateSplit, type SplitResult } from "./split.ts";

const options = { record: { type: "boolean" } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const write = (text: string) => process.stdout.write(`${text}\n`);
const boundsFile = new URL("../understanding/bounds.json", import.meta.url);
const shop = openShop("https://shop.tarn-and-tread.example");
const agent = createShopAgent({ shop, pace: 0 });
const usual = ["labelled.json", "held-out.json"].map((file) => new URL(file, import.meta.url));
const files = positionals.map((path) => pathToFileURL(path));
for (const file of files.length > 0 ? files : usual) await reportDialogues(file);
if (positionals.length === 0) reportSplit();

function report(figure: string, part: number, total: number): void {
  write(`${figure}: ${part} of ${total} (${((100 * part) / total).toFixed(1)} %)`);
}

async function reportDialogues(file: URL): Promise<void> {
  const results = await evaluate(agent, await readCases(file), shop);
  const misses = results.filter(({ faults }) => faults.length > 0);
  const title = file.pathname.split("/").at(-1) ?? "";
  report(title, results.length - misses.length, results.length);
  const claims = misses.filter(({ reply }) => isClaim(reply));
  report(`${title}, false claims`, claims.length, results.length);
  for (const [name, all] of Map.groupBy(results, (each) => each.case.language))
    write(`  ${name} ${all.filter(({ faults }) => faults.length === 0).length}/${all.length}`);
  for (const { case: missed, faults, reply } of misses) {
    const steps = missed.dialogue.map((step) => ("say" in step ? step.say : `[${step.form} ${step.action}]`));
    const cards = [...reply.citations.map(({ url }) => url), ...reply.products.map(({ id }) => id)].join(" ");
    write(`  ${missed.language} ${missed.group}: ${steps.join(" » ")}`);
    write(`    not as expected: ${faults.join(", ")}`);
    write(`    ${reply.text.replaceAll("\n", " / ").slice(0, 160)} ${cards}`);
  }
}

function reportSplit(): void {
  const all = evaluateSplit();
  const authors = new Set(all.map(({ language, author }) => `${language} ${author}`)).size;
  write(`\nSplit by author: ${authors} left out once, ${all.length} sentences that need no earlier turn.`);
  const reportShare = (figure: string, some: typeof all, is: "isRight" | "isFalseClaim" | "offersRight") =>
    report(figure, some.filter((each) => each[is]).length, some.length);
  const reportAll = (of: string, some: typeof all) => reportShare(`the right answer${of}`, some, "isRight");
  reportAll("", all);
  reportShare("a wrong answer without a doubt", all, "isFalseClaim");
  const asked = all.filter(({ asks }) => asks);
  reportShare("the right one among the choices", asked, "offersRight");
  for (const [language, some] of Map.groupBy(all, (each) => each.language)) reportAll(`, ${language}`, some);
  const ofKind = all.filter(({ kind }) => kind !== "");
  for (const [kind, some] of Map.groupBy(ofKind, (each) => `${each.language}, ${each.kind}`))
    reportAll(`, ${kind}`, some);
  if (values.record) writeFileSync(boundsFile, `${JSON.stringify(boundsOf(all), null, 2)}\n`);
}

/** The confidence from which most of the messages are understood, for intents that need less than usual. */
function boundsOf(all: readonly SplitResult[]): Record<string, number> {
  const doubted = all.filter(
    ({ confidence, understood }) => confidence < sure && isAbout(rows[understood] ?? {}),
  );
  return Object.fromEntries(
    [...Map.groupBy(doubted, ({ understood }) => understood)].flatMap(([intent, some]) => {
      const bound = [0.5, 0.6, 0.7, 0.8, 0.9].find((least) => {
        const near = some.filter(({ confidence }) => confidence >= least);
        // Few sentences say little: as if six more were there, of which most are right.
        return (near.filter(({ isRight }) => isRight).length + 4.5) / (near.length + 6) >= 0.85;
      });
      return bound === undefined ? [] : [[intent, bound] as const];
    }),
  );
}
