/** Replies that demonstrate the behaviour of streams. Developers of a chat client ask for them by name. */

import type { Answer } from "../answer.ts";
import { fold } from "../language/fold.ts";
import { languageData } from "../language/languages.ts";
import { say } from "../language/replies.ts";
import type { ToolContext } from "../tools/tool.ts";
import { askAboutRide } from "./answer-products.ts";

/** An answer and how it is streamed. Durations are milliseconds. */
export interface Demonstration {
  answer: Answer;
  /** The pause before the first delta. */
  thinksFor?: number;
  /** The pause between two deltas; the agent's own pace if it is not given. */
  pace?: number;
}

/** Length in code units: about two hundred deltas. */
const longLength = 3_000;
const slowPace = 2_000;
/** Long enough for several keep-alive comments. */
const minute = 60_000;

const demonstrations: Readonly<Record<string, (context: ToolContext) => Demonstration>> = {
  "long-answer"({ shop }) {
    const english = shop.help.passages.filter(({ language }) => language === "en");
    const sentences = english.flatMap(({ section }) => section.sentences);
    const start = sentences.join(" ").slice(0, longLength);
    return { answer: { text: start.slice(0, start.lastIndexOf(". ") + 1) } };
  },
  "slow-answer": ({ language }) => ({ answer: { text: say(language, "thinking") }, pace: slowPace }),
  "think-minute": ({ language }) => ({ answer: { text: say(language, "thinking") }, thinksFor: minute }),
  "ask-me": (context) => ({ answer: askAboutRide(context) }),
  "say-nothing": () => ({ answer: { text: "" } }),
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
