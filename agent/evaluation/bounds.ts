/**
 * The most processor time of all threads that a longest message costs, by the chat's language, when the text
 * is new to the process. Then how long messages of every author wait for the first words. The flags let the
 * collector wait until the end:
 *
 *     node --expose-gc --min-semi-space-size=128 --max-semi-space-size=128 agent/evaluation/bounds.ts
 */
import { limits } from "#lib/chat-api/limits.ts";
import { createAgent } from "../create-agent.ts";
import { openShop } from "../knowledge/shop.ts";
import { languages } from "../language/languages.ts";
import { readExamples } from "../learning/examples.ts";
import { planTurn } from "../planner/plan.ts";
import { rehearse } from "../planner/rehearse.ts";
import { aTurn } from "../testing/turns.ts";

const shop = openShop("https://shop.example");
const sentences = readExamples();

/** Repeated, each makes a text that some part of the agent has the most work with. */
const parts =
  "a|ing |fahrradhelm|helmet |under £5 and |Ireland? |TT-100482, |Fell 2 or Heron, |والبا|ヘルメット|配送料|" +
  "가각|ไทย|हिन्दी |😀|\ufdfa|\u0301|1,|. |?\n|l'a";

function textsFor(language: string): string[] {
  const own = sentences.flatMap((each) => (each.language === language ? [each.text] : []));
  const joined = [". ", ", ", "? ", "\n", " "].map((space) => own.join(space));
  const repeated = parts.split("|").map((part) => part.repeat(limits.messageTextLength));
  return [...joined, ...repeated].map((text) => text.slice(0, limits.messageTextLength).toWellFormed());
}

function costOf(text: string, locale: string): number {
  globalThis.gc?.();
  const before = process.cpuUsage();
  planTurn(aTurn(text, { locale }), shop);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

rehearse(shop);
for (const language of languages) {
  const most = Math.max(...textsFor(language).map((text) => costOf(text, language)));
  process.stdout.write(`${language}: ${most.toFixed(1)} ms\n`);
}

const agent = await createAgent({ shopOrigin: "https://shop.example", agentPace: 1, model: undefined });
const waits: number[] = [];
for (const { text, language: locale } of sentences.filter((_, index) => index % 10 === 0)) {
  const start = performance.now();
  await agent.reply(aTurn(text, { locale }), new AbortController().signal)[Symbol.asyncIterator]().next();
  waits.push(performance.now() - start);
}
const [p50, p95] = [0.5, 0.95].map((share) => waits.sort((a, b) => a - b)[Math.floor(waits.length * share)]);
process.stdout.write(`first words: ${p50?.toFixed(1)} ms at p50, ${p95?.toFixed(1)} ms at p95\n`);
