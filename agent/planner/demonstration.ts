/** Replies that demonstrate the behaviour of streams. Developers of a chat client ask for them by name. */

import type { Answer } from "../answer.ts";
import { fold } from "../language/fold.ts";
import { languageData } from "../language/languages.ts";
import { say } from "../language/replies.ts";
import type { ToolContext } from "../tools/tool.ts";
import { askAboutRide } from "./answer-products.ts";

/** The pace of a streamed answer; the agent's own where unspecified. Durations are milliseconds. */
export interface StreamingManner {
  /** The deltas, which join to the text. */
  deltas?: readonly string[];
  /** The pause before the first delta. */
  thinksFor?: number;
  betweenDeltas?: number;
}

export interface Demonstration {
  answer: Answer;
  manner: StreamingManner;
}

const longLength = 3_000;
const longDeltas = 200;
const slowDelta = 2_000;
const slowDeltas = 6;
/** Long enough for several keep-alive comments. */
const minute = 60_000;

const demonstrations: Readonly<Record<string, (context: ToolContext) => Demonstration>> = {
  "long-answer"({ shop }) {
    const english = shop.help.passages.filter(({ language }) => language === "en");
    const sentences = english.flatMap(({ section }) => section.sentences);
    const start = sentences.join(" ").slice(0, longLength);
    const text = start.slice(0, start.lastIndexOf(". ") + 1);
    return { answer: { text }, manner: { deltas: cut(text, longDeltas) } };
  },
  "slow-answer"({ language }) {
    const text = say(language, "capabilities");
    return { answer: { text }, manner: { deltas: cut(text, slowDeltas), betweenDeltas: slowDelta } };
  },
  "think-minute": ({ language }) => ({
    answer: { text: say(language, "thinking") },
    manner: { thinksFor: minute },
  }),
  "ask-me": (context) => ({ answer: askAboutRide(context), manner: {} }),
  "say-nothing": () => ({ answer: { text: "" }, manner: {} }),
};

/** The demonstration whose name is the whole message. */
export function demonstrationOf(message: string, context: ToolContext): Demonstration | null {
  const plain = fold(message)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const isNamed = ([, names]: [string, string]) =>
    names.split(",").some((name) => fold(name.trim()) === plain);
  const [kind] = Object.entries(languageData[context.language].demonstrations).find(isNamed) ?? [];
  return demonstrations[kind ?? ""]?.(context) ?? null;
}

/** Splits a text into this many parts of about equal length. */
function cut(text: string, count: number): string[] {
  const letters = [...text];
  const at = (part: number) => Math.round((part * letters.length) / count);
  return Array.from({ length: count }, (_, part) => letters.slice(at(part), at(part + 1)).join(""));
}
