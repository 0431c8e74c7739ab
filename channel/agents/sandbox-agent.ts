/**
 * The agent for building against the Chat API: a word brings each thing that a reply can carry
 * (`sandbox.json`). It needs no shop. Any other text is repeated.
 */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { limits } from "#lib/chat-api/limits.ts";
import type { Message } from "#lib/chat-api/message.ts";
import type { Agent, AgentEvent, AgentTurn, ReplyPartEvent } from "./agent.ts";

/** Milliseconds between two deltas of `slow`, whatever the agent's pace. */
const slowPace = 400;

interface Sandbox {
  /** Each is the whole text of a message. `citations 20` shows twenty. */
  words: Readonly<Record<string, Word>>;
  /** The cards that take turns, by kind; `{n}` is a card's number. */
  cards: { [Kind in CardKind]: readonly Message[Kind][number][] };
}

type CardKind = "citations" | "products" | "orders";

interface Word {
  /** The word's effect, for `help`; with the names of limits. */
  brings: string;
  says?: string;
  cards?: CardKind;
  /** The cards beside the text. */
  adds?: AgentEvent;
}

const file = new URL("./sandbox.json", import.meta.url);
const { words, cards }: Sandbox = JSON.parse(readFileSync(file, "utf8"));

/** @param pace Milliseconds between two words of a streamed reply */
export function createSandboxAgent({ pace }: { pace: number }): Agent {
  return {
    async *reply(turn, signal) {
      let isFirst = true;
      for await (const event of answer(turn)) {
        if (event.type === "text" && !isFirst && turn.isStreamed && pace > 0)
          await pause(pace, undefined, { signal });
        isFirst = false;
        yield event;
      }
    },
  };
}

async function* answer({ trigger }: AgentTurn): AsyncIterable<AgentEvent> {
  if (trigger.type === "form")
    return yield* inWords(`Thank you. The form was closed with "${trigger.action}".`);
  const text = trigger.message.text.trim().toLowerCase();
  const [, name = "", count = 2] = /^(.*?)(?: (\d{1,3}))?$/.exec(text) ?? [];
  const word = Object.hasOwn(words, name) ? words[name] : undefined;
  if (word === undefined) return yield* echo(trigger.message);
  for (const event of inWords(word.says ?? (name === "help" ? helpText() : longText))) {
    if (name === "slow") await pause(slowPace);
    yield event;
  }
  if (name === "fail") throw new Error('The sandbox agent fails, because the message is "fail".');
  if (word.cards) yield many(word.cards, Number(count));
  if (word.adds) yield word.adds;
}

/** "Echo: <text>" in at least three parts; names the files of a message. */
function* echo({ text, files }: Pick<Message, "text" | "files">): Iterable<AgentEvent> {
  const names = files.map(({ filename }) => filename).join(", ");
  yield { type: "text", text: "Echo" };
  yield { type: "text", text: ": " };
  yield* inWords([text, names && `(${names})`].filter(Boolean).join(" "));
}

function* inWords(text: string): Iterable<AgentEvent> {
  for (const word of text.match(/\s*\S+\s*/g) ?? []) yield { type: "text", text: word };
}

function helpText(): string {
  const most = new Map<string, unknown>(Object.entries(limits));
  const lines = Object.entries(words).map(([word, { brings }]) => `${word}: ${brings}`);
  return [...lines, "anything else: an echo"]
    .join("\n")
    .replace(/\{(\w+)\}/g, (_, limit) => String(most.get(limit)));
}

function many(kind: CardKind, count: number): ReplyPartEvent {
  const patterns = cards[kind];
  const list = Array.from({ length: count }, (_, index) =>
    JSON.stringify(patterns[index % patterns.length]).replaceAll("{n}", String(index + 1)),
  );
  return JSON.parse(`{"type":"${kind}","${kind}":[${list.join()}]}`);
}

const longText = Array.from(
  { length: 40 },
  (_, index) => `Sentence ${index + 1} has ten words so that it fills lines.`,
).join(" ");
