/**
 * `npm run bench -- agent`: time until the shop's agent's first delta, with the content loaded, for messages
 * that it has not seen before: first messages, and messages after a chat of 16.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createShopAgent } from "../agent/shop-agent.ts";
import { aMessage, aTurn } from "../agent/testing.ts";
import type { Agent } from "../channel/agents/agent.ts";
import { summary } from "./support/statistics.ts";

const root = join(import.meta.dirname, "..");
const evaluation = join(root, "agent/evaluation");

function sentencesOf(file: string): string[] {
  const cases: { dialogue: { say?: string }[] }[] = JSON.parse(readFileSync(join(evaluation, file), "utf8"));
  return [...new Set(cases.flatMap(({ dialogue }) => dialogue.flatMap(({ say }) => say || [])))];
}

/** Milliseconds of CPU time, which other work on the machine does not change. */
interface Took {
  time: number;
  processor: number;
}

async function timeToFirstEvent(agent: Agent, text: string, history: readonly string[]): Promise<Took> {
  const before = history.map((each, index) =>
    aMessage({ id: `earlier-${index}`, role: index % 2 === 0 ? "visitor" : "agent", text: each }),
  );
  const started = performance.now();
  const used = process.cpuUsage();
  for await (const _ of agent.reply(aTurn(text, { history: before }), new AbortController().signal)) break;
  const { user, system } = process.cpuUsage(used);
  return { time: performance.now() - started, processor: (user + system) / 1000 };
}

function report(name: string, took: readonly Took[]): void {
  for (const measure of ["time", "processor"] as const) {
    const values = took.map((each) => each[measure]);
    console.log(`${name}, ${measure}: ${summary(values, 1)} (${took.length} messages)`);
  }
}

const opened = performance.now();
const agent = createShopAgent({ shopOrigin: "https://shop.example", pace: 0 });
console.log(`open and index the content: ${(performance.now() - opened).toFixed(0)} ms`);

for (const sentence of sentencesOf("held-out.json")) await timeToFirstEvent(agent, sentence, []);

const sentences = sentencesOf("labelled.json");
const alone: Took[] = [];
for (const sentence of sentences) alone.push(await timeToFirstEvent(agent, sentence, []));
report("first delta, first message", alone);

// Varies the words, so that neither the message nor its history is cached.
const inChat: Took[] = [];
for (const [index, sentence] of sentences.entries()) {
  const at = (position: number) => sentences[(index + position) % sentences.length] ?? "";
  const history = Array.from({ length: 16 }, (_, position) => at(position));
  inChat.push(await timeToFirstEvent(agent, `${sentence} (${index})`, history));
}
report("first delta, after 16 messages", inChat);
